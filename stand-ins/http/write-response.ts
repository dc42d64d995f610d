import type { ServerResponse } from 'node:http';
import type { HttpResponse } from './http-response.ts';

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
