import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AUTHORIZE_PATH } from '#server/automation/oauth/consent-page.ts';
import { settings } from '#server/core/env.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { log } from '#server/core/log.ts';
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
import { handleLive, LIVE_PATH, openLiveStreams } from '#server/http/live/live-streams.ts';
import { handleAuthorize } from '#server/http/oauth/handle-authorize.ts';
import {
  handleMetadata,
  METADATA_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from '#server/http/oauth/handle-metadata.ts';
import { handleRevoke, handleToken } from '#server/http/oauth/handle-token.ts';
import {
  checkRequest,
  refuseBrokenRequest,
  rememberResponse,
  respondOnSocket,
} from '#server/http/refuse-broken-request.ts';
import { waitForRequestRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { throwAway } from '#server/http/request/read-body.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { problemHeaders, requestProblemIn } from '#server/http/response/request-problem.ts';
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

/** What others than the usual ones a server holds to: tests do not wait for those. */
export type ServerLimits = {
  timeouts?: HttpTimeouts;
  maxConnections?: number;
  downloadTimes?: DownloadTimes;
};

/**
 * The only HTTP server: sends each family of paths to its handler and the rest to the screens. The API and the
 * token endpoints never pass through Next, which would cost most of their time.
 */
export function createHttpServer(
  renderPage: PageRenderer,
  {
    timeouts = HTTP_TIMEOUTS,
    maxConnections = MAX_CONNECTIONS,
    downloadTimes = DOWNLOAD_TIMES,
  }: ServerLimits = {},
): Server {
  const { TRUST_PROXY, BASE_URL } = settings();
  const { origin } = new URL(BASE_URL);
  const handleAuth = authHandler();
  const live = openLiveStreams();
  const downloads = openDownloads(downloadTimes);

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Whatever a client says of its own address is overwritten.
    const address = clientAddress(req, TRUST_PROXY);
    req.headers[CLIENT_ADDRESS_HEADER] = address;
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    if (isApiPath(path)) return handleApiCall(req, res);
    if (!isDecodable(path)) return sendJson(res, 404, NOTHING_HERE);
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
    const chat = chatPageOf(path);
    if (chat?.page === 'try' && (await handleTryPage(res, chat.workspaceId))) return;
    keepLinkPrivate(req, res, { path, origin });
    return renderPage(req, res);
  }

  const options = {
    ...timeouts,
    // Checked here, so that the refusal is like every other.
    requireHostHeader: false,
    // Next would take upgrades over once it has rendered a page, and then leave them unanswered.
    shouldUpgradeCallback: () => false,
  };
  const server = createServer(options, (req, res) => {
    rememberResponse(res);
    // Node would take in what no one read as fast as it comes.
    res.once('prefinish', () => {
      if (!req.complete && !req.readableDidRead) void throwAway(req);
    });
    strictTransport(res, BASE_URL);
    const id = requestId(res);
    // While the server ends, no one is invited to send more.
    if (!server.listening) res.setHeader('Connection', 'close');
    const isBrokenOff = () => res.destroyed && !res.writableFinished && !req.complete;
    res.once('close', () => {
      if (isBrokenOff()) log().info({ requestId: id, method: req.method }, 'http.broken_off');
    });
    const problem = checkRequest(req);
    if (problem) return sendJson(res, 400, { message: problem }, { Connection: 'close' });
    handle(req, res).catch((error: unknown) => {
      if (isBrokenOff()) return;
      const problem = requestProblemIn(error);
      if (problem) {
        const { requestProblem: status, message } = problem;
        log().info({ requestId: id, status }, 'http.given_up');
        return sendJson(res, status, { message }, problemHeaders(problem));
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
      { message: 'The header Expect must be 100-continue or be left out.' },
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

/** How long a client may take, in milliseconds (options of Node's HTTP server). */
export const HTTP_TIMEOUTS = {
  /** Until a request's headers are complete: a client that sends them drop by drop holds a connection no longer. */
  headersTimeout: 15_000,
  /** Until a request is complete with its body. Long enough for 1 MB over a slow line. */
  requestTimeout: 120_000,
  /**
   * Between two requests. Longer than the 60 s after which the usual balancers close an idle connection: if the
   * server closed it first, a request sent at that moment would be lost.
   */
  keepAliveTimeout: 75_000,
  /** How often the first two are looked at; a client may be refused that much late. */
  connectionsCheckingInterval: 5_000,
} as const;

type HttpTimeouts = Record<keyof typeof HTTP_TIMEOUTS, number>;

/**
 * How many connections a process holds at once; more are closed as they come. Each open page holds one or two, so this is
 * far more than the pages that a process can serve.
 */
const MAX_CONNECTIONS = 5_000;

/**
 * Whether a path can be decoded: each `%` begins an octet, and the octets are UTF-8 (RFC 3986 §2.1). One that cannot
 * leads nowhere, whatever it begins with (decisions: requests and errors, 1).
 */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
