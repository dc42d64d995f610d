import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { parseCookies } from 'better-auth/cookies';
import { settings } from '#server/core/env.ts';
import { bufferResponse } from '#server/http/pages/buffer-response.ts';
import { pathOf } from '#server/http/request/request-parts.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { contentSecurityPolicy } from '#server/http/response/security-headers.ts';
import { sendText } from '#server/http/response/send-json.ts';
import { parseTheme, THEME_COOKIE, type Theme } from '#server/screens/themes.ts';

/** The public pages, of both APIs. */
const DOCS_PATHS = ['/docs', '/docs/developer'];

/** The rendered page in the encodings that browsers accept. */
type StoredPage = { etag: string; scriptHashes: string[]; bodies: Record<Encoding, Buffer> };
/** Preferred first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number] | 'identity';

/**
 * Wraps a renderer: `/docs` depends only on settings and the theme, so each process renders it, and that of the developer API, once per theme and sends the
 * stored page from then on. A render takes 180 ms of processor time, and anyone can request it.
 */
export function storeDocs(render: PageRenderer): PageRenderer {
  const stored = new Map<string, Promise<StoredPage | undefined>>();
  return async (req, res, page) => {
    const path = pathOf(req);
    if (page || !DOCS_PATHS.includes(path) || !isDocument(req)) return render(req, res, page);
    const theme = parseTheme(parseCookies(req.headers.cookie ?? '').get(THEME_COOKIE));
    const key = `${theme} ${path}`;
    const pending = stored.get(key) ?? renderDocs(render, { path, theme });
    stored.set(key, pending);
    const found = await pending.catch(() => undefined);
    if (found) return sendDocs(req, res, found);
    stored.delete(key);
    return render(req, res);
  };
}

/** Returns whether a browser loads the page, rather than the router of an open page its data. */
function isDocument(req: IncomingMessage): boolean {
  return (req.method === 'GET' || req.method === 'HEAD') && req.headers.rsc === undefined;
}

/** Renders the page without anything of the request but the theme. Undefined unless the response is a 200. */
async function renderDocs(
  render: PageRenderer,
  { path, theme }: { path: string; theme: Theme },
): Promise<StoredPage | undefined> {
  const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: path });
  Object.assign(req.headers, { host: new URL(settings().BASE_URL).host, cookie: `${THEME_COOKIE}=${theme}` });
  req.push(null);
  const res = new ServerResponse(req);
  const ended = new Promise<Buffer>((resolve) => {
    bufferResponse(res, (body) => {
      res.emit('finish');
      resolve(body);
    });
  });
  const [body] = await Promise.all([ended, render(req, res)]);
  return res.statusCode === 200 ? storePage(body.toString('utf8')) : undefined;
}

async function storePage(html: string): Promise<StoredPage> {
  // One nonce for everyone would be none: the policy lists the scripts instead.
  const page = html.replaceAll(/ nonce="[^"]*"/g, '');
  const identity = Buffer.from(page);
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  const digest = createHash('sha256').update(identity).digest('base64url');
  return { etag: `"${digest}"`, scriptHashes: hashScripts(page), bodies: { br, gzip: gz, identity } };
}

/** Returns the sources of a content security policy that allow the inline scripts of a page. */
function hashScripts(html: string): string[] {
  const scripts = html.split('<script').slice(1);
  const hashes = scripts.flatMap((script) => {
    const start = script.indexOf('>');
    const end = script.indexOf('</script>');
    const isInline = !/ src="/.test(script.slice(0, start));
    if (!isInline || start < 0 || end < 0) return [];
    return `'sha256-${createHash('sha256')
      .update(script.slice(start + 1, end))
      .digest('base64')}'`;
  });
  return [...new Set(hashes)];
}

function sendDocs(
  req: IncomingMessage,
  res: ServerResponse,
  { etag, scriptHashes, bodies }: StoredPage,
): void {
  contentSecurityPolicy(req, res, { scripts: scriptHashes });
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Accept-Encoding' };
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, headers).end();
    return;
  }
  const encoding = ENCODINGS.find((each) => accepts(req, each)) ?? 'identity';
  sendText(res, 200, bodies[encoding], {
    'Content-Type': 'text/html; charset=utf-8',
    ...headers,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
}

/** Returns whether `Accept-Encoding` lists an encoding, unless with a weight of 0 (RFC 9110 §12.5.3). */
function accepts({ headers }: IncomingMessage, encoding: string): boolean {
  const listed = String(headers['accept-encoding'] ?? '').split(',');
  return listed.some((each) => {
    const [name = '', weight = ''] = each.split(';').map((part) => part.trim());
    return name.toLowerCase() === encoding && !/^q=0(\.0*)?$/.test(weight);
  });
}
