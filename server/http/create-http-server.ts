import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { toNodeHandler } from 'better-auth/node';
import { settings } from '#server/env.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { liveness, readiness } from '#server/http/health.ts';
import type { PageRenderer } from '#server/http/page-renderer.ts';
import { requestId, sendJson } from '#server/http/send-json.ts';
import { log } from '#server/log.ts';
import { AUTHORIZE_PATH } from '#server/oauth/consent-page.ts';
import { handleAuthorize } from '#server/oauth/handle-authorize.ts';
import { handleRevoke, handleToken } from '#server/oauth/handle-token.ts';
import { handleApiCall, isApiPath } from '#server/rest/handle-api-call.ts';
import { AUTH_PATH, auth, CLIENT_ADDRESS_HEADER } from '#server/teammates/auth.ts';

/**
 * The only HTTP server: sends each family of paths to its handler and the rest to the screens. The API and the
 * token endpoints never pass through Next, which would cost most of their time.
 */
export function createHttpServer(renderPage: PageRenderer): Server {
  const { TRUST_PROXY } = settings();
  const authHandler = toNodeHandler(auth());

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Whatever a client says of its own address is overwritten.
    req.headers[CLIENT_ADDRESS_HEADER] = clientAddress(req, TRUST_PROXY);
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    if (isApiPath(path)) return handleApiCall(req, res);
    if (path === '/oauth/token') return handleToken(req, res);
    if (path === '/oauth/revoke') return handleRevoke(req, res);
    if (path === AUTHORIZE_PATH) return handleAuthorize(req, res, renderPage);
    if (path === AUTH_PATH || path.startsWith(`${AUTH_PATH}/`)) return authHandler(req, res);
    if (path.startsWith('/api/')) return sendJson(res, 404, { message: 'There is nothing at this address.' });
    if (path === '/healthz') return liveness(res);
    if (path === '/readyz') return readiness(res);
    return renderPage(req, res);
  }

  return createServer((req, res) => {
    requestId(res);
    handle(req, res).catch((error: unknown) => {
      log().error({ err: error, requestId: requestId(res) }, 'http.failed');
      sendJson(res, 500, { message: 'Something went wrong on our side. Try again later.' });
    });
  });
}
