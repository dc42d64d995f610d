import type { IncomingMessage, ServerResponse } from 'node:http';

/** Pages whose address holds a token. */
const TOKEN_PAGES = /^\/(invitation|reset-password|rate\/[^/]+)\/*$/;

/**
 * For a page that a mailed link leads to: its address stays in no cache, and leaves in no `Referer`. Browsers then send
 * `Origin: null` with its forms, which Next would refuse; where they say that the form is our own page's, Next gets our
 * origin.
 * @param at.path of the request, without the query
 * @param at.origin of this service
 */
export function keepLinkPrivate(
  req: IncomingMessage,
  res: ServerResponse,
  at: { path: string; origin: string },
): void {
  if (!TOKEN_PAGES.test(at.path)) return;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
  const isOwnForm = req.headers.origin === 'null' && req.headers['sec-fetch-site'] === 'same-origin';
  if (isOwnForm) req.headers.origin = at.origin;
}
