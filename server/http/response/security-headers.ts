import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'Content-Security-Policy';

/**
 * Sets a page's content security policy: nothing but our own resources, scripts only with this answer's nonce,
 * no framing, no devices. Next reads the nonce from the request's header and puts it on its scripts.
 * @param formAction where forms of the page may lead
 * @param isChat the page of a web chat: any site may frame it, and it shows pictures that it has fetched itself
 * @param inlineStyles whether parts of the page may style themselves (menus and dialogs that place themselves do)
 */
export function contentSecurityPolicy(
  req: IncomingMessage,
  res: ServerResponse,
  {
    formAction = ["'self'"],
    inlineStyles = true,
    isChat = false,
  }: { formAction?: string[]; inlineStyles?: boolean; isChat?: boolean } = {},
): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    inlineStyles ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    isChat ? "img-src 'self' data: blob:" : "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // The original of a mail is framed, which has a stricter policy of its own.
    ...(isChat ? [] : ["frame-src 'self'"]),
    "manifest-src 'self'",
    `form-action ${formAction.join(' ')}`,
    isChat ? 'frame-ancestors *' : "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  req.headers[HEADER.toLowerCase()] = policy;
  res.setHeader(HEADER, policy);
  if (!isChat) res.setHeader('X-Frame-Options', 'DENY');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Permissions-Policy', PERMISSIONS_POLICY);
  if (!res.hasHeader('Referrer-Policy')) res.setHeader('Referrer-Policy', 'same-origin');
}

/** What no page of ours asks a browser for, so that nothing that ran on one could either (`Permissions-Policy`). */
export const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** For how long browsers ask by https alone, in seconds: a year. */
const MAX_AGE_SECONDS = 31_536_000;

/**
 * Has browsers ask by https alone from now on, where people reach the service so (RFC 6797). Other hosts of the domain
 * are not ours to decide about.
 */
export function strictTransport(res: ServerResponse, baseUrl: string): void {
  if (!baseUrl.startsWith('https:')) return;
  res.setHeader('Strict-Transport-Security', `max-age=${MAX_AGE_SECONDS}`);
}

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
