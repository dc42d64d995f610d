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

/** What a provider answers. `hang` never answers, until the caller gives up. */
export type HttpResponse =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | { status: number; content: Buffer | string; type: string; headers?: Record<string, string> }
  | 'hang';

/** A response in JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): HttpResponse {
  return { status, body, headers };
}

/** A response that is a file or a text. */
export function raw(
  content: Buffer | string,
  type: string,
  headers: Record<string, string> = {},
): HttpResponse {
  return { status: 200, content, type, headers };
}

/** Sends what a provider answers. A call that is never answered stays open until its caller gives up. */
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
