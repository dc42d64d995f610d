import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ProviderRequest, readRequest } from '../../http/bodies.ts';
import { isOurOrigin } from '../../http/check-origin.ts';
import { log } from '../../http/log.ts';
import { type HttpResponse, sendJson, writeResponse } from '../../http/responses.ts';
import { handleControl } from '../control/handle-control.ts';
import { handleGraph } from '../meta/handle-graph.ts';
import { handlePage } from '../page/handle-page.ts';
import type { Providers } from '../providers.ts';
import { handleSlack } from '../slack/handle-slack.ts';
import { handleBot } from '../telegram/handle-bot.ts';
import { recordCall } from './record-call.ts';

type Provider = (providers: Providers, request: ProviderRequest) => HttpResponse | Promise<HttpResponse>;

const PROVIDERS: Readonly<Record<string, Provider>> = {
  meta: handleGraph,
  telegram: handleBot,
  slack: handleSlack,
};

/** Handles all requests: the providers' APIs, the routes for tests, and the pages. */
export async function handleRequest(
  providers: Providers,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    await respond(providers, req, res);
  } catch (error) {
    log('providers.fault', { message: error instanceof Error ? (error.stack ?? error.message) : 'unknown' });
    if (res.headersSent) res.destroy();
    else sendJson(res, 500, { message: 'Something went wrong in the stand-in.' });
  }
}

async function respond(providers: Providers, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { settings } = providers;
  const host = req.headers.host?.toLowerCase() ?? '';
  const names = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${settings.port}`);
  const url = URL.parse(req.url ?? '/', settings.url);
  if (!names.includes(host) || !url) {
    return sendJson(res, 421, { message: 'The stand-in does not use that host name.' });
  }
  const [, first = ''] = url.pathname.split('/', 2);
  const provider = PROVIDERS[first];
  if (provider) {
    const request = await readRequest(req, url, url.pathname.slice(first.length + 1));
    if (!request) return sendJson(res, 413, { message: 'The request is too large.' });
    const response = await provider(providers, request);
    recordCall(providers, first, request, response);
    return writeResponse(res, response);
  }
  const reads = req.method === 'GET' || req.method === 'HEAD';
  if (!reads && !isOurOrigin(req)) {
    return sendJson(res, 403, { message: 'This request comes from another site.' });
  }
  if (reads && url.pathname === '/stream') return providers.stream.join(res);
  const request = await readRequest(req, url, url.pathname);
  if (!request) return sendJson(res, 413, { message: 'The request is too large.' });
  if (first === 'control') return await handleControl(providers, request, res);
  return await handlePage(providers, request, res);
}
