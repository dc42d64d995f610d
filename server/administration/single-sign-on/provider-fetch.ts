import { isIP } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { addressProblem, publicLookup } from '#server/automation/deliveries/public-address.ts';
import { settings } from '#server/core/env.ts';
import { processState } from '#server/core/process-state.ts';

/** Timeout of each request to an identity provider, in ms. A sign-in sends up to three. */
export const REQUEST_TIMEOUT_MS = 5_000;
/** Larger than the metadata and keys of any provider. */
const RESPONSE_MAX_BYTES = 512 * 1024;

/** Thrown when a request to a provider failed, was not allowed, or its response is too large. */
export class ProviderRequestError extends Error {}

/** Connects only at public addresses, and to hosts that `SSO_PRIVATE_HOSTS` names. */
const agent = processState(() => {
  const { SSO_PRIVATE_HOSTS: privateHosts = [] } = settings();
  const connect = buildConnector({ timeout: REQUEST_TIMEOUT_MS, lookup: publicLookup(privateHosts) });
  return new Agent({
    keepAliveTimeout: 10_000,
    connect: (options, callback) => {
      const problem = addressProblem(options.hostname, privateHosts);
      return problem ? callback(problem, null) : connect(options, callback);
    },
  });
});

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns why a provider cannot be at a URL; undefined if it can. The addresses of a name are checked at each request. */
export function providerUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'Enter a complete https address.';
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return 'The address cannot have a user name, a password or a fragment (#).';
  }
  const { SSO_PRIVATE_HOSTS: privateHosts = [] } = settings();
  const { hostname } = url;
  const isPrivate = privateHosts.includes(hostname.replace(/^\[(.*)\]$/, '$1'));
  if (url.protocol !== 'https:' && !(isPrivate && LOOPBACK.test(hostname)))
    return 'The address must start with https.';
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  if ((isName && !hostname.includes('.') && !isPrivate) || addressProblem(hostname, privateHosts)) {
    return 'This host is not in the public internet.';
  }
  return undefined;
}

type FetchOptions = {
  method: string;
  headers: Record<string, string>;
  body: unknown;
  signal?: AbortSignal;
};

/**
 * Sends a request to an identity provider, for openid-client. Follows no redirect, and reads a bounded response.
 * @throws ProviderRequestError
 */
export async function fetchFromProvider(url: string, options: FetchOptions): Promise<Response> {
  const problem = providerUrlProblem(url);
  if (problem) throw new ProviderRequestError(problem);
  const { method, headers, body, signal } = options;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    const response = await request(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body === undefined || body === null ? null : String(body),
      dispatcher: agent(),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await readBounded(response.body);
    const type = response.headers['content-type'];
    const challenge = response.headers['www-authenticate'];
    return new Response(text, {
      status: response.statusCode,
      headers: {
        ...(typeof type === 'string' ? { 'content-type': type } : {}),
        ...(typeof challenge === 'string' ? { 'www-authenticate': challenge } : {}),
      },
    });
  } catch (error) {
    // Without the URL, which the message may contain.
    const name = error instanceof Error ? error.name : '';
    const code = error instanceof Error && 'code' in error ? String(error.code) : name;
    throw new ProviderRequestError(`The request to the provider failed (${code}).`);
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > RESPONSE_MAX_BYTES) throw new ProviderRequestError('TOO_LARGE');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
