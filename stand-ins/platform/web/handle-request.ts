import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOurOrigin } from '../../http/check-origin.ts';
import { log } from '../../http/log.ts';
import { redirect, sendJson, sendPage } from '../../http/responses.ts';
import { servePageFiles } from '../../http/serve-page-files.ts';
import { finishConnect, startConnect } from '../oauth/connect.ts';
import { renderHome } from '../page/render-home.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import { addNotice } from '../state.ts';
import { handleApi } from './handle-api.ts';

const serveFile = servePageFiles(new URL('../public/', import.meta.url));

/**
 * Headers of every response. The page loads nothing from other origins, and submits forms only to itself and, through a
 * redirect, to the service's consent page.
 */
function securityHeaders(settings: Settings): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      `form-action 'self' ${settings.serviceUrl}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** Returns true for our own host names. Another name that resolves to loopback could be a DNS rebinding attack. */
function isOurHost(settings: Settings, host: string | undefined): boolean {
  const { port, returnUrl } = settings;
  const ours = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, returnUrl.host];
  return host !== undefined && ours.includes(host.toLowerCase());
}

/** Handles all requests to the page's port. An internal error is a 500 with a fixed message. */
export async function handleRequest(
  platform: Platform,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(platform.settings))) res.setHeader(name, value);
  try {
    await respond(platform, req, res);
  } catch (error) {
    log('platform.fault', { message: error instanceof Error ? error.message : 'unknown' });
    if (res.headersSent) res.destroy();
    else sendJson(res, 500, { message: 'Something went wrong in the platform.' });
  }
}

async function respond(platform: Platform, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { settings } = platform;
  const { method = 'GET' } = req;
  if (!isOurHost(settings, req.headers.host)) {
    return sendJson(res, 421, { message: 'This platform does not use that host name.' });
  }
  const url = URL.parse(req.url ?? '/', settings.returnUrl.origin);
  if (!url) return sendJson(res, 400, { message: 'The address is not valid.' });
  const reads = method === 'GET' || method === 'HEAD';
  if (!reads && !isOurOrigin(req)) {
    return sendJson(res, 403, { message: 'This request comes from another site.' });
  }
  if (reads && url.pathname === settings.returnUrl.pathname)
    return returnFromConsent(platform, req, res, url);
  if (reads && url.pathname === '/api/stream') return platform.stream.join(res);
  if (url.pathname.startsWith('/api/')) return handleApi(platform, req, res, url);
  if (method === 'POST' && url.pathname === '/connect') return goToConsent(platform, req, res);
  if (reads && url.pathname === '/') return home(platform, req, res, url);
  if (reads && serveFile(res, url.pathname)) return;
  sendJson(res, 404, { message: 'There is no such page.' });
}

/** Shows the page under the host of the return address, so the browser sends its cookie on return. */
function home(platform: Platform, req: IncomingMessage, res: ServerResponse, url: URL): void {
  const { host, origin } = platform.settings.returnUrl;
  if (req.headers.host?.toLowerCase() !== host) {
    redirect(res, `${origin}/${url.search}`);
    return;
  }
  const notice = platform.state.notices.get(url.searchParams.get('notice') ?? '');
  sendPage(res, 200, renderHome(platform, url.searchParams, notice ?? null));
}

async function goToConsent(platform: Platform, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const browserId = readBrowserId(req) ?? newBrowserId();
  const consentPage = await startConnect(platform, browserId);
  redirect(res, consentPage.href, { 'Set-Cookie': browserCookie(platform.settings, browserId) });
}

/** Finishes the connection attempt and redirects to the page, so a reload repeats nothing. */
async function returnFromConsent(
  platform: Platform,
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
): Promise<void> {
  const outcome = await finishConnect(platform, url.searchParams, readBrowserId(req));
  const query = new URLSearchParams({ notice: addNotice(platform.state, outcome.notice) });
  if (outcome.connection) query.set('connection', outcome.connection.id);
  redirect(res, `/?${query}`);
}

const COOKIE = 'platform_browser';
const BROWSER_ID = /^[0-9a-f]{32}$/;

/** Reads the id of the browser, which binds the start of a connection attempt to its end. */
function readBrowserId(req: IncomingMessage): string | undefined {
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name === COOKIE && BROWSER_ID.test(value)) return value;
  }
  return undefined;
}

function newBrowserId(): string {
  return randomBytes(16).toString('hex');
}

/** Returns the cookie with the browser id. `Lax`, because the browser returns from another site. */
function browserCookie(settings: Settings, browserId: string): string {
  const secure = settings.returnUrl.protocol === 'https:' ? '; Secure' : '';
  return `${COOKIE}=${browserId}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
