import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema.ts';

export type AutomationClient = Client<paths, 'application/json'>;

export type ClientOptions = {
  /** The service's address, without a slash at the end. */
  baseUrl: string;
  /** The access token, or what gives the one of the moment: it is asked before each call. */
  accessToken: string | (() => string | Promise<string>);
  /** The longest `Retry-After` that a call waits for, in seconds, before it is sent once more; 60 unless given. */
  longestWaitSeconds?: number;
  /** How to wait; a timer unless given. */
  wait?: (seconds: number) => Promise<void>;
};

const API_PATH = '/api/automation/v1';

/**
 * A client of the Automation API, typed by its OpenAPI document. A call that was refused with 429 waits as
 * `Retry-After` says and is sent once more; any other response comes back as it is.
 */
export function createAutomationClient(options: ClientOptions): AutomationClient {
  const { baseUrl, accessToken, longestWaitSeconds = 60, wait = waitSeconds } = options;
  const client = createClient<paths, 'application/json'>({
    baseUrl: `${baseUrl}${API_PATH}`,
    headers: { Accept: 'application/json' },
    fetch: async (request) => {
      const again = request.clone();
      const response = await fetch(request);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (response.status !== 429 || !(seconds <= longestWaitSeconds)) return response;
      await response.body?.cancel();
      await wait(seconds);
      return fetch(again);
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
