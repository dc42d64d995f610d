import type { IncomingMessage } from 'node:http';

/**
 * Returns true when a state-changing request may pass: browsers always send the origin, which must be our own page.
 * Other clients send none.
 */
export function isOurOrigin(req: IncomingMessage): boolean {
  const { origin, host } = req.headers;
  if (origin !== undefined) return URL.parse(origin)?.host === host;
  const site = req.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
