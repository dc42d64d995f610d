import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, readBody } from '../../http/bodies.ts';
import { matchPath } from '../../http/match-path.ts';
import { sendJson } from '../../http/responses.ts';
import type { Platform } from '../platform.ts';
import { API_ROUTES } from './api-routes.ts';

/** Handles a request below `/api/`: finds the route, parses the JSON body, and responds with JSON. */
export async function handleApi(
  platform: Platform,
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
): Promise<void> {
  const text = await readBody(req);
  if (text === null) return sendJson(res, 413, { message: 'The request is larger than 1 MB.' });
  for (const route of API_ROUTES) {
    const params = route.method === req.method ? matchPath(route.path, url.pathname) : null;
    if (!params) continue;
    const body = text === '' ? undefined : parseJson(text);
    const reply = await route.handle({ platform, params, query: url.searchParams, body });
    return sendJson(res, reply.status, reply.body);
  }
  sendJson(res, 404, { message: 'Route not found.' });
}
