import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AUTHORIZE_PATH } from '#server/automation/oauth/consent-page.ts';
import { settings } from '#server/core/env.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { log } from '#server/core/log.ts';
import { percentDecoded } from '#server/core/text.ts';
import { SERVER_CLOSING } from '#server/http/close-server.ts';
import { ATTACHMENTS_PATH, handleAttachment } from '#server/http/files/handle-attachment.ts';
import { handleMail, MAILS_PATH } from '#server/http/files/handle-original-mail.ts';
import { handleUpload } from '#server/http/files/handle-upload.ts';
import { DOWNLOAD_TIMES, type DownloadTimes, openDownloads } from '#server/http/files/send-attachment.ts';
import { handleApiCall, isApiPath } from '#server/http/handle-api-call.ts';
import { handleScreens, SCREENS_PATH } from '#server/http/handle-screens.ts';
import { authHandler } from '#server/http/handle-sign-in.ts';
import { liveness, readiness } from '#server/http/health.ts';
import { handlePostedMail, POSTED_MAIL_PATH } from '#server/http/inbound/handle-posted-mail.ts';
import { handleUnsubscribe } from '#server/http/inbound/handle-unsubscribe.ts';
import { handleWebhook } from '#server/http/inbound/handle-webhook.ts';
import { handleLive, LIVE_PATH } from '#server/http/live/handle-live.ts';
import { openLiveStreams } from '#server/http/live/live-streams.ts';
import { handleAuthorize } from '#server/http/oauth/handle-authorize.ts';
import {
  handleMetadata,
  METADATA_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from '#server/http/oauth/handle-metadata.ts';
import { handleRevoke, handleToken } from '#server/http/oauth/handle-token.ts';
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
import { pathOf } from '#server/http/request/request-parts.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { problemHeaders, RequestProblem } from '#server/http/response/request-problem.ts';
import { keepLinkPrivate, strictTransport } from '#server/http/response/security-headers.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';
import { CHAT_API_PATH, handleChat } from '#server/http/web-chat/handle-chat.ts';
import { chatPageOf, handleTryPage } from '#server/http/web-chat/handle-try-page.ts';
import { handleWidget } from '#server/http/web-chat/handle-widget.ts';
import { WEBHOOKS_PATH } from '#server/inbox/channels/accounts/webhook-address.ts';
import { UNSUBSCRIBE_PATH } from '#server/inbox/ratings/rating-link.ts';
import { WIDGET_PATH } from '#server/screens/web-chat/web-chat.ts';
import { AUTH_PATH } from '#server/teammates/auth.ts';

const NOTHING_HERE = { message: 'There is nothing at this address.' };

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
  const { BASE_URL } = settings();
  const { origin } = new URL(BASE_URL);
  const handleAuth = authHandler();
  const renderPage = servePages(render);
  const live = openLiveStreams();
  const downloads = openDownloads(downloadTimes);

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Overwritten, so that a client cannot claim an address.
    const address = clientAddress(req);
    req.headers[CLIENT_ADDRESS_HEADER] = address;
    const path = pathOf(req);
    if (isApiPath(path)) return handleApiCall(req, res);
    // Whatever its prefix (docs/rulings.md 2.1).
    if (percentDecoded(path) === undefined) return sendJson(res, 404, NOTHING_HERE);
    if (path === TOKEN_PATH) return handleToken(req, res);
    if (path === REVOKE_PATH) return handleRevoke(req, res);
    if (path === AUTHORIZE_PATH) return handleAuthorize(req, res, renderPage);
    if (path === METADATA_PATH) return handleMetadata(req, res);
    if (path === AUTH_PATH || path.startsWith(`${AUTH_PATH}/`)) {
      await waitForRequestRate(address);
      return handleAuth(req, res);
    }
    if (path === LIVE_PATH) return handleLive(live, req, res);
    if (path.startsWith(CHAT_API_PATH)) {
      await waitForRequestRate(address);
      return handleChat({ live, downloads }, req, res, path);
    }
    if (path.startsWith(SCREENS_PATH)) return handleScreens(req, res, path);
    if (path.startsWith(POSTED_MAIL_PATH)) return handlePostedMail(req, res, path);
    if (path.startsWith(WEBHOOKS_PATH)) return handleWebhook(req, res, path);
    if (path.startsWith(MAILS_PATH)) return handleMail(downloads, req, res, path);
    if (path === ATTACHMENTS_PATH && req.method === 'POST') return handleUpload(req, res);
    if (path.startsWith(ATTACHMENTS_PATH)) return handleAttachment(downloads, req, res, path);
    if (path.startsWith(UNSUBSCRIBE_PATH)) return handleUnsubscribe(req, res, path);
    if (path.startsWith('/api/')) return sendJson(res, 404, NOTHING_HERE);
    if (path === '/healthz') return liveness(res);
    if (path === '/readyz') return readiness(res);
    if (path === WIDGET_PATH) return handleWidget(req, res);
    // The screens use no images that Next would resize.
    if (path === '/_next/image') return sendJson(res, 404, NOTHING_HERE);
    const chat = chatPageOf(path);
    if (chat?.page === 'try' && (await handleTryPage(res, chat.workspaceId))) return;
    keepLinkPrivate(req, res, { path, origin });
    return renderPage(req, res);
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
      if (!req.complete && !req.readableDidRead) void discardBody(req);
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
