import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { settings } from '#server/core/env.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { log } from '#server/core/log.ts';
import { traced } from '#server/core/tracing/tracing.ts';
import { SERVER_CLOSING } from '#server/http/close-server.ts';
import { DOWNLOAD_TIMES, type DownloadTimes, openDownloads } from '#server/http/files/send-attachment.ts';
import { authHandler } from '#server/http/handle-sign-in.ts';
import { openLiveStreams } from '#server/http/live/live-streams.ts';
import { servePages } from '#server/http/pages/serve-pages.ts';
import {
  checkRequest,
  refuseBrokenRequest,
  rememberResponse,
  respondOnSocket,
} from '#server/http/refuse-broken-request.ts';
import { waitForRequestRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { discardBody } from '#server/http/request/read-body.ts';
import { announcesBody, pathOf } from '#server/http/request/request-parts.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { problemHeaders, RequestProblem } from '#server/http/response/request-problem.ts';
import { strictTransport } from '#server/http/response/security-headers.ts';
import { hasMethod, requestId, sendJson } from '#server/http/response/send-json.ts';
import { listRoutes, NOTHING_HERE } from '#server/http/routes.ts';

/** Limits that tests shorten. */
export type ServerLimits = {
  timeouts?: HttpTimeouts;
  maxConnections?: number;
  downloadTimes?: DownloadTimes;
};

/**
 * Creates the public HTTP server. It passes each path to its handler and all others to the screens. The API and
 * the token endpoints bypass Next, which would cost most of their time.
 */
export function createHttpServer(
  render: PageRenderer,
  {
    timeouts = HTTP_TIMEOUTS,
    maxConnections = MAX_CONNECTIONS,
    downloadTimes = DOWNLOAD_TIMES,
  }: ServerLimits = {},
): Server {
  const { BASE_URL, API_HOST: apiHost } = settings();
  const { origin } = new URL(BASE_URL);
  const handleAuth = authHandler();
  const renderPage = servePages(render);
  const live = openLiveStreams();
  const downloads = openDownloads(downloadTimes);

  const routes = listRoutes({ renderPage, live, downloads, origin, apiHost, handleAuth });

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Overwritten, so that a client cannot claim an address.
    const address = clientAddress(req);
    req.headers[CLIENT_ADDRESS_HEADER] = address;
    const path = pathOf(req);
    const route = routes.find(({ matches }) => matches(path, req));
    if (!route) return sendJson(res, 404, NOTHING_HERE);
    if (route.methods && !hasMethod(req, res, route.methods)) return;
    if (route.limits.includes('request_rate')) await waitForRequestRate(address);
    if (route.limits.includes('costs_nothing')) return void (await route.handle(req, res, path));
    const { method = '' } = req;
    const attributes = { 'http.request.method': method, 'http.route': route.name };
    const caller = { kind: 'server', parent: callersTrace(req), isFromOutside: true, attributes } as const;
    await traced(`${method} ${route.name}`, caller, async (span) => {
      await route.handle(req, res, path);
      span?.set({ 'http.response.status_code': res.statusCode, 'inbox.request.id': requestId(res) });
    });
  }

  const options = {
    ...timeouts,
    // Checked below, so that the refusal has the usual format.
    requireHostHeader: false,
    // After its first page, Next would accept upgrades and leave them without a response.
    shouldUpgradeCallback: () => false,
  };
  const server = createServer(options, (req, res) => {
    rememberResponse(res);
    // Node would discard an unread body as fast as it arrives.
    res.once('prefinish', () => {
      // Node marks a request as complete after its handler has returned, even if it has no body.
      if (req.complete || req.readableDidRead || !announcesBody(req)) return;
      void discardBody(req).then((isDiscarded) => {
        if (!isDiscarded) req.socket.destroySoon();
      });
    });
    strictTransport(res, BASE_URL);
    const id = requestId(res);
    // During shutdown, clients must not send more on this connection.
    if (!server.listening) res.setHeader('Connection', 'close');
    const isBrokenOff = () => res.destroyed && !res.writableFinished && !req.complete;
    res.once('close', () => {
      if (isBrokenOff()) log().info({ requestId: id, method: req.method }, 'http.broken_off');
    });
    const problem = checkRequest(req);
    if (problem) return sendJson(res, 400, { message: problem }, { Connection: 'close' });
    handle(req, res).catch((error: unknown) => {
      if (isBrokenOff()) return;
      if (error instanceof RequestProblem) {
        const { requestProblem: status, message } = error;
        log().info({ requestId: id, status }, 'http.given_up');
        return sendJson(res, status, { message }, problemHeaders(error));
      }
      log().error({ err: error, requestId: id }, 'http.failed');
      sendJson(res, 500, { message: 'Something went wrong on our side. Try again later.' });
    });
  });
  server.maxConnections = maxConnections;
  server.on('checkExpectation', (_req, res) => {
    sendJson(
      res,
      417,
      { message: 'The header Expect must be 100-continue or omitted.' },
      { Connection: 'close' },
    );
  });
  server.on('connect', (_req, socket) => {
    respondOnSocket(socket, 400, 'The target of the request must be a path.', randomUUID());
  });
  server.on('clientError', refuseBrokenRequest);
  for (const end of [SERVER_CLOSING, 'close']) server.once(end, () => live.end());
  return server;
}

/** Returns the `traceparent` of the caller, or null to start a trace (https://www.w3.org/TR/trace-context/). */
function callersTrace({ headers }: IncomingMessage): string | null {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : null;
}

/** Timeouts of a client in ms (options of Node's HTTP server). */
export const HTTP_TIMEOUTS = {
  /** For the complete headers. Limits how long a slow client can hold a connection. */
  headersTimeout: 15_000,
  /** For the complete request. Long enough for 1 MB over a slow connection. */
  requestTimeout: 120_000,
  /**
   * Between two requests. Load balancers usually close idle connections after 60 s. If the server closed
   * first, a request sent at that time would be lost.
   */
  keepAliveTimeout: 75_000,
  /** Interval at which the first two timeouts are checked; a refusal can be this late. */
  connectionsCheckingInterval: 5_000,
} as const;

type HttpTimeouts = Record<keyof typeof HTTP_TIMEOUTS, number>;

/**
 * Maximum number of connections per process; further ones are closed immediately. An open page holds one or
 * two, so this is far more than the pages that a process can serve.
 */
const MAX_CONNECTIONS = 5_000;
