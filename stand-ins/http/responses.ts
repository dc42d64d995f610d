import type { ServerResponse } from 'node:http';

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
