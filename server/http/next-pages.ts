import type { IncomingMessage, ServerResponse } from 'node:http';
import next from 'next';
import { type Settings, settings } from '#server/core/env.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { contentSecurityPolicy } from '#server/http/response/security-headers.ts';
import { chatPageOf } from '#server/http/web-chat/handle-try-page.ts';
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

/**
 * Under which host and port this process reaches itself. Next answers some forms by asking the server for the page
 * that follows, with the visitor's cookies: it must never ask another one.
 */
export function ownAddress({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): {
  hostname: string;
  port: number;
} {
  return { hostname: LOOPBACK.get(HOST ?? '') ?? HOST ?? '127.0.0.1', port: PORT };
}

/** Hosts that mean all addresses of the machine, and the address at which it reaches itself then. */
const LOOPBACK = new Map([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * Has a page sent without scripts: for one whose parts are all rendered by the server, where they would only be loaded. It is
 * held back until it is whole, so it must be small.
 */
export function sendWithoutScripts(res: ServerResponse): void {
  const chunks: Buffer[] = [];
  const { end } = res;
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  res.write = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk, rest[0]);
    const done = rest.find((one) => typeof one === 'function');
    if (typeof done === 'function') process.nextTick(() => done());
    return true;
  }) as typeof res.write;
  res.end = ((...given: unknown[]) => {
    keep(given[0], given[1]);
    const done = given.find((one) => typeof one === 'function') as (() => void) | undefined;
    const page = withoutScripts(Buffer.concat(chunks).toString('utf8'));
    return Reflect.apply(end, res, page === '' ? [done] : [page, 'utf8', done]);
  }) as typeof res.end;
}

/** HTML of our own without its scripts and without what has them loaded ahead. */
export function withoutScripts(html: string): string {
  return without(without(html, '<script', '</script>'), '<link rel="preload" as="script"', '>');
}

function without(html: string, from: string, to: string): string {
  const [first = '', ...others] = html.split(from);
  const kept = others.map((part) => {
    const end = part.indexOf(to);
    return end < 0 ? '' : part.slice(end + to.length);
  });
  return first + kept.join('');
}
