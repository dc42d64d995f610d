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

/** Calls the API with the connection's token and without empty values. Returns the data of the response. */
export async function callService<Data>(z: ZObject, { method, path, params, body }: Call): Promise<Data> {
  const response = await z.request<Data>({
    url: `${serviceUrl()}${API_PATH}${path}`,
    method,
    headers: { Accept: 'application/json' },
    ...(params ? { params, removeMissingValuesFrom: { params: true } } : {}),
    ...(body ? { body: withoutEmpty(body) } : {}),
  });
  return response.data;
}

function withoutEmpty(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
