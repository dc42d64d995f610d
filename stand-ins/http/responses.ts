import type { ServerResponse } from 'node:http';

/** Responds with JSON. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/** Responds with a page. */
export function sendPage(res: ServerResponse, status: number, page: string): void {
  res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
}

/** Redirects the browser with 303, so it continues with GET. */
export function redirect(res: ServerResponse, location: string, headers: Record<string, string> = {}): void {
  res.writeHead(303, { Location: location, ...headers }).end();
}

/** A provider's response. `hang` never responds. */
export type HttpResponse =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | { status: number; content: Buffer | string; type: string; headers?: Record<string, string> }
  | 'hang';

/** Creates a JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): HttpResponse {
  return { status, body, headers };
}

/** Creates a response with a file or a text. */
export function raw(
  content: Buffer | string,
  type: string,
  headers: Record<string, string> = {},
): HttpResponse {
  return { status: 200, content, type, headers };
}

/** Sends a provider's response. A hanging call stays open until the caller gives up. */
export function writeResponse(res: ServerResponse, response: HttpResponse): void {
  if (response === 'hang') return;
  const { status, headers = {} } = response;
  if ('content' in response) {
    res.writeHead(status, { ...headers, 'Content-Type': response.type }).end(response.content);
    return;
  }
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  res.writeHead(status, { ...headers, ...type }).end(JSON.stringify(response.body));
}
