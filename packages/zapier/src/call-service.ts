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
 * connection broke with the same `Idempotency-Key`, so it runs once.
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
  if (method !== 'POST') return (await send()).data;
  try {
    return (await send()).data;
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return (await send()).data;
  }
}

/** Pause before a call is sent again, in ms. */
const RETRY_MS = 1_000;

/** Returns whether a request failed without a response. */
function isConnectionError(error: unknown): boolean {
  return error instanceof Error && error.name === 'FetchError';
}

function withoutEmpty(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
