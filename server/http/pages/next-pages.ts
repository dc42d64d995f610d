import type { IncomingMessage, ServerResponse } from 'node:http';
import next from 'next';
import { type Settings, settings } from '#server/core/env.ts';
import { bufferResponse } from '#server/http/pages/buffer-response.ts';
import { pathOf } from '#server/http/request/request-parts.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { contentSecurityPolicy } from '#server/http/response/security-headers.ts';
import { chatPageOf } from '#server/http/web-chat/handle-try-page.ts';
import { type PageContext, withPageContext } from '#server/screens/page-context.ts';
import { screensFor } from '#server/screens/router.ts';

/**
 * Prepares the built screens. Returns their renderer, and a function that closes Next.
 * @param dir the project's directory
 */
export async function nextPages(dir: string): Promise<{ render: PageRenderer; close: () => Promise<void> }> {
  const { SERVICE_NAME, PLATFORM_NAME, PLATFORM_RETURN_URL, HOST, PORT } = settings();
  const app = next({ dev: false, dir, ...ownAddress({ HOST, PORT }) });
  await app.prepare();
  const handle = app.getRequestHandler();
  const common: PageContext = {
    serviceName: SERVICE_NAME,
    platformName: PLATFORM_NAME,
    platformUrl: new URL(PLATFORM_RETURN_URL).origin,
    screensFor,
  };

  async function render(req: IncomingMessage, res: ServerResponse, page?: Parameters<PageRenderer>[2]) {
    if (page) {
      // A decision was posted. The response is the page itself, rendered like for a GET.
      req.method = req.method === 'HEAD' ? 'HEAD' : 'GET';
      req.url = page.path;
      delete req.headers['content-length'];
      delete req.headers['content-type'];
      // The browser submits the form without scripts. A compressed response could not be searched for
      // scripts.
      delete req.headers['accept-encoding'];
      sendWithoutScripts(res);
    } else {
      const isChat = chatPageOf(pathOf(req))?.page === 'chat';
      // Any site can frame the chat, so it must not have a session, whatever the browser sends.
      if (isChat) delete req.headers.cookie;
      contentSecurityPolicy(req, res, { isChat });
    }
    const context = page ? { ...common, consent: page.consent } : common;
    // Next would call this process over https, which ends at the proxy.
    delete req.headers['x-forwarded-proto'];
    await withPageContext(context, () => handle(req, res));
  }
  return { render, close: () => app.close() };
}

/**
 * Returns the host and port at which this process reaches itself. Next answers some forms by requesting the
 * next page from the server with the visitor's cookies. That request must never reach another server.
 */
export function ownAddress({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): {
  hostname: string;
  port: number;
} {
  return { hostname: LOOPBACK.get(HOST) ?? HOST, port: PORT };
}

/** Wildcard hosts, and the loopback address of each. */
const LOOPBACK = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * Removes the scripts of a page that the server renders completely, where they would only be loaded.
 */
export function sendWithoutScripts(res: ServerResponse): void {
  const { end } = res;
  bufferResponse(res, (body, done) => {
    const page = withoutScripts(body.toString('utf8'));
    Reflect.apply(end, res, page === '' ? [done] : [page, 'utf8', done]);
  });
}

/** Removes the scripts and their preloads from our own HTML. */
export function withoutScripts(html: string): string {
  return without(without(html, '<script', '</script>'), '<link rel="preload" as="script"', '>');
}

function without(html: string, from: string, to: string): string {
  const [first = '', ...others] = html.split(from);
  const rest = others.map((part) => {
    const end = part.indexOf(to);
    return end < 0 ? '' : part.slice(end + to.length);
  });
  return first + rest.join('');
}
