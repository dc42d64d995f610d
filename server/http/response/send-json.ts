import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';

/** Returns the id of a request, for its response and the log. Created on first use. */
export function requestId(res: ServerResponse): string {
  const known = res.getHeader(HEADER);
  if (typeof known === 'string') return known;
  const id = randomUUID();
  res.setHeader(HEADER, id);
  return id;
}

/**
 * Sends a JSON response.
 * @param body a value, or a string of JSON
 */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (res.headersSent || res.destroyed) return;
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  sendText(res, status, json, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
}

/** Sends a complete response. Node leaves out its body for HEAD. */
export function sendText(
  res: ServerResponse,
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> & { 'Content-Type': string },
): void {
  requestId(res);
  res.writeHead(status, {
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  res.end(body);
}

/** Returns whether a request has one of these methods. If not, sends a `405`. */
export function hasMethod(
  { method }: IncomingMessage,
  res: ServerResponse,
  allowed: readonly string[],
): boolean {
  if (allowed.some((each) => each === method)) return true;
  const named = allowed.filter((each) => each !== 'HEAD').join(' and ');
  const headers = { Allow: allowed.join(', '), 'Cache-Control': 'no-store' };
  sendJson(res, 405, { message: `This address supports ${named} only.` }, headers);
  return false;
}

/** The methods of an address that only reads. */
export const READ = ['GET', 'HEAD'] as const;
