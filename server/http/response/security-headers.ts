import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'Content-Security-Policy';

/**
 * Sets a page's content security policy: only our own resources, scripts only with this response's nonce, no
 * framing, no devices. Next reads the nonce from the request's header and adds it to its scripts.
 * @param formAction allowed targets of forms
 * @param scripts allowed scripts of a stored page, which has no nonce
 * @param isChat the web chat: any site can frame it, and it shows pictures that it fetched itself
 * @param inlineStyles whether elements can have inline styles, which menus and dialogs need for their
 * position
 */
export function contentSecurityPolicy(
  req: IncomingMessage,
  res: ServerResponse,
  {
    formAction = ["'self'"],
    inlineStyles = true,
    isChat = false,
    scripts,
  }: { formAction?: string[]; inlineStyles?: boolean; isChat?: boolean; scripts?: string[] } = {},
): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scripts?.join(' ') ?? `'nonce-${nonce}' 'strict-dynamic'`}`,
    inlineStyles ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    isChat ? "img-src 'self' data: blob:" : "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // The page frames original emails, which have a stricter policy.
    ...(isChat ? [] : ["frame-src 'self'"]),
    "manifest-src 'self'",
    ...(isChat ? [] : ["worker-src 'self'"]),
    `form-action ${formAction.join(' ')}`,
    isChat ? 'frame-ancestors *' : "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  req.headers[HEADER.toLowerCase()] = policy;
  res.setHeader(HEADER, policy);
  if (isChat) {
    // Sites with a cross-origin embedder policy frame only pages that have one too.
    res.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  } else res.setHeader('X-Frame-Options', 'DENY');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Permissions-Policy', PERMISSIONS_POLICY);
  if (!res.hasHeader('Referrer-Policy')) res.setHeader('Referrer-Policy', 'same-origin');
}

/** Turns off features that no page uses, so that injected code cannot use them either, and allows passkeys on our own pages only. */
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
  .concat('publickey-credentials-create=(self)', 'publickey-credentials-get=(self)')
  .join(', ');

/** A year. */
const MAX_AGE_SECONDS = 31_536_000;

/**
 * Makes browsers use https only, if the service has an https address (RFC 6797). Excludes subdomains, which
 * are not ours to decide about.
 */
export function strictTransport(res: ServerResponse, baseUrl: string): void {
  if (!baseUrl.startsWith('https:')) return;
  res.setHeader('Strict-Transport-Security', `max-age=${MAX_AGE_SECONDS}`);
}

/** Pages with a token in their path or query. */
const TOKEN_PAGES = /^\/(address|invitation|reset-password|verify|rate\/[^/]+)\/*$/;

/**
 * Protects a page whose link was emailed: no cache, and no `Referer`. Browsers then send `Origin: null` with
 * its forms, which Next would refuse; if the browser reports a same-origin form, Next gets our origin.
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
