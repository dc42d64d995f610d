import type { IncomingMessage } from 'node:http';

/** As long as a request's head may be: what is further from the end of the header was written by no one we trust. */
const HEADER_MAX_LENGTH = 16_384;

/**
 * The address a request came from. `X-Forwarded-For` is believed only through as many proxies as are trusted:
 * each appends whom it heard from, so the client is that many places from the end. With fewer addresses the
 * request did not come through all of them, and what it says is its own: then the socket's address counts
 * (decisions: requests and errors, 8).
 * @param trustedProxies 0: the socket's own address
 */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const socketAddress = req.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return socketAddress;
  const header = req.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .slice(-HEADER_MAX_LENGTH)
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return forwarded.at(-trustedProxies) ?? socketAddress;
}

/** A request's headers in the shape of the web platform, as sign-in reads them. */
export function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}
