import type { ServerResponse } from 'node:http';
import type { Settings } from '../platform/settings.ts';

/**
 * Headers of every response. The page takes nothing from elsewhere and may send its forms only to itself and,
 * by redirect, to the service's consent page.
 */
export function securityHeaders(settings: Settings): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      `form-action 'self' ${settings.serviceUrl}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** Ends a response with JSON. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/** Ends a response with a page. */
export function sendPage(res: ServerResponse, status: number, page: string): void {
  res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
}

/** Sends the browser on, always with GET. */
export function sendOn(res: ServerResponse, location: string, headers: Record<string, string> = {}): void {
  res.writeHead(303, { Location: location, ...headers }).end();
}
