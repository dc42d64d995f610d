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
 * Calls the API with the connection's token and without empty values. Returns the data of the response. Retries a POST whose
 * connection broke or that is still in progress, with the same `Idempotency-Key`, so it runs once.
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
  const retries = method === 'POST' ? RETRIES_MAX : 0;
  for (let retry = 0; ; retry++) {
    try {
      return (await send()).data;
    } catch (error) {
      const waitMs = retryAfterMs(error);
      if (retry >= retries || waitMs === undefined || waitMs > WAIT_MAX_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** A step may run for 30 seconds. */
const RETRIES_MAX = 2;
const WAIT_MAX_MS = 10_000;
/** Pause before a call whose connection broke is sent again, in ms. */
const RECONNECT_MS = 1_000;

/** A refused call that can be sent again after a pause, in ms. */
export type RetriableError = Error & { retryAfterMs?: number };

/** Returns the pause before a failed call is sent again, in ms. Undefined: the response is final. */
function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.name === 'FetchError' ? RECONNECT_MS : (error as RetriableError).retryAfterMs;
}

function withoutEmpty(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
