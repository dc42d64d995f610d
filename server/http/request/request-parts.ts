import type { IncomingMessage } from 'node:http';
import { isToken68, parseAuthorization } from '#server/core/authorization-header.ts';
import { settings } from '#server/core/env.ts';

/** Returns the path of a request, still percent-encoded. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

export function queryOf({ url = '/' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

/** Converts a request's headers to the web platform's `Headers`. */
export function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** Returns whether the headers announce a body that is not empty. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Returns the token of `Authorization: Bearer` (RFC 6750 §2.1), never of a query string or body. */
export function parseBearerToken(req: IncomingMessage): string | undefined {
  const parsed = parseAuthorization(req.headers.authorization);
  return parsed?.scheme === 'bearer' && isToken68(parsed.credentials) ? parsed.credentials : undefined;
}

/** Returns whether the browser reports that a page of another site sent the request. */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== new URL(settings().BASE_URL).origin) return true;
  return site !== undefined && site !== 'same-origin';
}
