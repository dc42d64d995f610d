import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PERMISSIONS_POLICY } from '#server/http/response/permissions-policy.ts';

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
