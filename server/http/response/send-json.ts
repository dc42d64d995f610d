import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

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
  requestId(res);
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  res.end(json);
}
