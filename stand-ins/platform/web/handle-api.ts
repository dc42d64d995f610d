import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, readBody } from '../../http/bodies.ts';
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
  sendJson(res, 404, { message: 'There is no such route.' });
}

/** Returns the `:named` parameters of a path, or null when the path does not match. */
function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
}
