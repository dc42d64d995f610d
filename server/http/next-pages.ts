import type { IncomingMessage, ServerResponse } from 'node:http';
import next from 'next';
import { settings } from '#server/core/env.ts';
import { ownAddress } from '#server/http/own-address.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { contentSecurityPolicy } from '#server/http/response/security-headers.ts';
import { chatPageOf } from '#server/http/web-chat/chat-pages.ts';
import { sendWithoutScripts } from '#server/http/without-scripts.ts';
import { withPageContext } from '#server/screens/page-context.ts';

/**
 * Prepares the built screens and returns what renders them; `close` ends Next with the server.
 * @param dir of the project
 */
export async function nextPages(dir: string): Promise<{ render: PageRenderer; close: () => Promise<void> }> {
  const { SERVICE_NAME, PLATFORM_NAME, HOST, PORT } = settings();
  const app = next({ dev: false, dir, ...ownAddress({ HOST, PORT }) });
  await app.prepare();
  const handle = app.getRequestHandler();
  const names = { serviceName: SERVICE_NAME, platformName: PLATFORM_NAME };

  async function render(req: IncomingMessage, res: ServerResponse, page?: Parameters<PageRenderer>[2]) {
    if (page) {
      // A decision was posted; what answers it is the page itself, which is read like any other.
      req.method = req.method === 'HEAD' ? 'HEAD' : 'GET';
      req.url = page.path;
      delete req.headers['content-length'];
      delete req.headers['content-type'];
      // Its form is sent by the browser itself. What is compressed could not be looked through.
      delete req.headers['accept-encoding'];
      sendWithoutScripts(res);
    } else {
      const isChat = chatPageOf((req.url ?? '').split('?', 1)[0] ?? '')?.page === 'chat';
      // Framed by any site, it is no one's page: no session comes in, whatever a browser sends along.
      if (isChat) delete req.headers.cookie;
      contentSecurityPolicy(req, res, { isChat });
    }
    const context = page ? { ...names, consent: page.consent } : names;
    // Next would ask this process by https, which ends at the proxy.
    delete req.headers['x-forwarded-proto'];
    await withPageContext(context, () => handle(req, res));
  }
  return { render, close: () => app.close() };
}
