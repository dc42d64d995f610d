import createClient from 'openapi-fetch';
import type { paths as DeveloperPaths } from './developer-schema.ts';
import type { paths } from './schema.ts';
import type { TypedClient } from './typed-client.ts';

export type AutomationClient = TypedClient<paths>;
export type DeveloperClient = TypedClient<DeveloperPaths>;

type RetryOptions = {
  /** Maximum `Retry-After`, in seconds, after which a call is retried. Default: 60. */
  longestWaitSeconds?: number;
  /** Waits before a retry, and rejects when the call is aborted. Default: a timer. */
  wait?: (seconds: number, signal: AbortSignal) => Promise<void>;
};

export type ClientOptions = RetryOptions & {
  /** URL of the service, without a trailing slash. */
  baseUrl: string;
  /** Access token, or a function that returns the current one and is called before each request. */
  accessToken: string | (() => string | Promise<string>);
};

export type DeveloperClientOptions = RetryOptions & {
  /** URL of the Developer API, as Settings > Developers shows it: `https://inbox.example.com/api/v1`, for example. */
  apiUrl: string;
  /** API token. */
  token: string;
};

const API_PATH = '/api/automation/v1';
const KEY_HEADER = 'Idempotency-Key';
/** Statuses that are retried, each once and then until this time after the first such response, in ms. */
const RETRIED_FOR_MS = new Map([
  [429, 0],
  [409, 30_000],
]);

/** Returns a client for the Automation API, typed by its OpenAPI document, with the retries of `connectTo`. */
export function createAutomationClient({
  baseUrl,
  accessToken,
  ...options
}: ClientOptions): AutomationClient {
  return connectTo<paths>(`${baseUrl}${API_PATH}`, accessToken, options);
}

/** Returns a client for the Developer API, typed by its OpenAPI document, with the retries of `connectTo`. */
export function createDeveloperClient({
  apiUrl,
  token,
  ...options
}: DeveloperClientOptions): DeveloperClient {
  return connectTo<DeveloperPaths>(apiUrl, token, options);
}

/**
 * Returns a client for an API. Each POST gets an `Idempotency-Key`, unless the
 * caller sends one. Retries once after a 429 with `Retry-After`, and a POST whose connection broke. After a 409, repeats the
 * call with the same key for 30 seconds, until the first request has its response. Returns all other responses unchanged.
 */
function connectTo<Paths extends object>(
  url: string,
  accessToken: ClientOptions['accessToken'],
  { longestWaitSeconds = 60, wait = waitSeconds }: RetryOptions,
): TypedClient<Paths> {
  const authorize = async (request: Request) => {
    const token = typeof accessToken === 'string' ? accessToken : await accessToken();
    request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  };
  const client = createClient<Paths, 'application/json'>({
    baseUrl: url,
    headers: { Accept: 'application/json' },
    fetch: async (request) => {
      const firstSeen = new Map<number, number>();
      for (;;) {
        const response = await fetchUntilAnswered(await authorize(request.clone()));
        const { status, headers } = response;
        const seconds = Number(headers.get('retry-after') ?? Number.NaN);
        const firstAt = firstSeen.get(status);
        const isOver = firstAt !== undefined && Date.now() - firstAt >= (RETRIED_FOR_MS.get(status) ?? 0);
        if (isOver || !RETRIED_FOR_MS.has(status) || !(seconds <= longestWaitSeconds)) return response;
        if (firstAt === undefined) firstSeen.set(status, Date.now());
        await response.body?.cancel();
        await wait(seconds, request.signal);
      }
    },
  });
  client.use({
    onRequest: ({ request }) => {
      if (request.method === 'POST' && !request.headers.has(KEY_HEADER)) {
        request.headers.set(KEY_HEADER, crypto.randomUUID());
      }
      return request;
    },
  });
  return client as TypedClient<Paths>;
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

function waitSeconds(seconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1_000);
    signal.addEventListener('abort', abort, { once: true });
  });
}
