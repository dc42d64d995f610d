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

/**
 * Returns a client for the Automation API, typed by its OpenAPI document. After a 429, waits for `Retry-After` and retries
 * once. Returns all other responses unchanged.
 */
export function createAutomationClient(options: ClientOptions): AutomationClient {
  const { baseUrl, accessToken, longestWaitSeconds = 60, wait = waitSeconds } = options;
  const client = createClient<paths, 'application/json'>({
    baseUrl: `${baseUrl}${API_PATH}`,
    headers: { Accept: 'application/json' },
    fetch: async (request) => {
      const retry = request.clone();
      const response = await fetch(request);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (response.status !== 429 || !(seconds <= longestWaitSeconds)) return response;
      await response.body?.cancel();
      await wait(seconds);
      return fetch(retry);
    },
  });
  client.use({
    onRequest: async ({ request }) => {
      const token = typeof accessToken === 'string' ? accessToken : await accessToken();
      request.headers.set('Authorization', `Bearer ${token}`);
      return request;
    },
  });
  return client;
}

const waitSeconds = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000));
