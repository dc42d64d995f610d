import type { ServerResponse } from 'node:http';
import type { ProviderRequest } from '../../http/bodies.ts';
import { matchPath } from '../../http/match-path.ts';
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
  sendJson(res, 404, { message: 'Route not found.' });
}
