import type { IncomingMessage } from 'node:http';

/**
 * True when a request that changes something may pass. A browser always says where such a request comes from,
 * and it must be our own page; programs say nothing.
 */
export function isOurOrigin(req: IncomingMessage): boolean {
  const { origin, host } = req.headers;
  if (origin !== undefined) return URL.parse(origin)?.host === host;
  const site = req.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
