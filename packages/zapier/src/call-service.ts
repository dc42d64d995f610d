import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { serviceUrl } from './service-url.ts';

type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path within the API, for example `/contacts`. */
  path: string;
  params?: Record<string, string | undefined>;
  body?: Record<string, unknown>;
};

export const API_PATH = '/api/automation/v1';

/**
 * Calls the API with the connection's token and without empty values. Returns the data of the response. Retries a POST once
 * when its connection broke, and repeats one that is still in progress or met an unavailable service for 15 seconds, with the same
 * `Idempotency-Key`, so it runs once. Fails when Zapier would run the whole step again after such a retry: the step would have another key.
 */
export async function callService<Data>(z: ZObject, { method, path, params, body }: Call): Promise<Data> {
  const key = method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {};
  const send = () =>
    z.request<Data>({
      url: `${serviceUrl()}${API_PATH}${path}`,
      method,
      headers: { Accept: 'application/json', ...key },
      ...(params ? { params, removeMissingValuesFrom: { params: true } } : {}),
      ...(body ? { body: withoutEmpty(body) } : {}),
    });
  const firstSeen = new Map<string, number>();
  let mayRun = false;
  for (;;) {
    try {
      return (await send()).data;
    } catch (error) {
      const { name, retryAfterMs, isFault, isLost } = error as RetriableError;
      const isBroken = name === 'FetchError';
      mayRun ||= method === 'POST' && (isBroken || isLost === true);
      if (RUNS_AGAIN.includes(name) && firstSeen.size > 0) throw mayHaveRun(z);
      const waitMs = isBroken ? RECONNECT_MS : retryAfterMs;
      const firstAt = firstSeen.get(name);
      const isOver = firstAt !== undefined && Date.now() - firstAt >= (isBroken ? 0 : IN_PROGRESS_MAX_MS);
      if (method !== 'POST' || waitMs === undefined || waitMs > IN_PROGRESS_MAX_MS || isOver)
        throw mayRun && (isBroken || isFault) ? mayHaveRun(z) : error;
      if (firstAt === undefined) firstSeen.set(name, Date.now());
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Time for which a call is repeated while its first request is in progress, or the service is unavailable, in ms. A step may run for 30 seconds. */
const IN_PROGRESS_MAX_MS = 15_000;
/** Pause before a call whose connection broke is sent again, in ms. */
const RECONNECT_MS = 1_000;

/** Errors after which Zapier runs a step again: with a fresh token, or once the rate limit allows it. */
const RUNS_AGAIN = ['RefreshAuthError', 'ThrottledError'];
const MAY_HAVE_RUN =
  'The response to this step was lost, and the step may have run. Check in Shared Inbox before you run it again.';

const mayHaveRun = (z: ZObject) => new z.errors.Error(MAY_HAVE_RUN, 'may_have_run');

/** A refused or failed call, which can be sent again after a pause, in ms. */
export type RetriableError = Error & { retryAfterMs?: number; isFault?: boolean; isLost?: boolean };

function withoutEmpty(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
