import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema.ts';

export type AutomationClient = Client<paths, 'application/json'>;

export type ClientOptions = {
  /** URL of the service, without a trailing slash. */
  baseUrl: string;
  /** Access token, or a function that returns the current one and is called before each request. */
  accessToken: string | (() => string | Promise<string>);
  /** Maximum `Retry-After`, in seconds, after which a call is retried. Default: 60. */
  longestWaitSeconds?: number;
  /** Waits before a retry. Default: a timer. */
  wait?: (seconds: number) => Promise<void>;
};

const API_PATH = '/api/automation/v1';
const KEY_HEADER = 'Idempotency-Key';
/** Too many calls, and a first request that is still in progress. */
const RETRIED = new Set([429, 409]);

/**
 * Returns a client for the Automation API, typed by its OpenAPI document. Each POST gets an `Idempotency-Key`, unless the
 * caller sends one. Retries once, with the same key, after a 429 or 409 with `Retry-After`, and retries a POST whose
 * connection broke. Returns all other responses unchanged.
 */
export function createAutomationClient(options: ClientOptions): AutomationClient {
  const { baseUrl, accessToken, longestWaitSeconds = 60, wait = waitSeconds } = options;
  const client = createClient<paths, 'application/json'>({
    baseUrl: `${baseUrl}${API_PATH}`,
    headers: { Accept: 'application/json' },
    fetch: async (request) => {
      const retry = request.clone();
      const response = await fetchUntilAnswered(request);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (!RETRIED.has(response.status) || !(seconds <= longestWaitSeconds)) return response;
      await response.body?.cancel();
      await wait(seconds);
      return fetchUntilAnswered(retry);
    },
  });
  client.use({
    onRequest: async ({ request }) => {
      const token = typeof accessToken === 'string' ? accessToken : await accessToken();
      request.headers.set('Authorization', `Bearer ${token}`);
      if (request.method === 'POST' && !request.headers.has(KEY_HEADER)) {
        request.headers.set(KEY_HEADER, crypto.randomUUID());
      }
      return request;
    },
  });
  return client;
}

/** Sends a POST once more when the connection broke: its key makes that safe. */
async function fetchUntilAnswered(request: Request): Promise<Response> {
  if (request.method !== 'POST') return fetch(request);
  const again = request.clone();
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return fetch(again);
  }
}

const waitSeconds = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000));
