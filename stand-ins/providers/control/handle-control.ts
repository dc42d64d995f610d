import type { ServerResponse } from 'node:http';
import type { ProviderRequest } from '../../http/bodies.ts';
import { sendJson } from '../../http/responses.ts';
import type { Providers } from '../providers.ts';
import { CONTROL_ROUTES } from './control-routes.ts';

/** Handles a request below `/control/`. */
export async function handleControl(
  providers: Providers,
  request: ProviderRequest,
  res: ServerResponse,
): Promise<void> {
  if (!request.readable) return sendJson(res, 400, { message: 'The body is not JSON.' });
  for (const route of CONTROL_ROUTES) {
    const params = route.method === request.method ? matchPath(route.path, request.path) : null;
    if (!params) continue;
    const body: unknown = request.body.length > 0 ? JSON.parse(request.body.toString('utf8')) : undefined;
    const reply = await route.handle({ providers, params, query: request.query, body });
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
