import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { batchReads } from '#server/core/database/batch-reads.ts';
import { readForScreens } from '#server/core/database/pools.ts';
import { refusalIn } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { PAGE_BODY_MAX_BYTES, withPostedBody } from '#server/http/pages/receive-page-body.ts';
import { announcesBody, headersOf, isCrossSite } from '#server/http/request/request-parts.ts';
import { withSessionSlot } from '#server/http/request/session-slots.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';
import { OTHER_WORKSPACE, WORKSPACE_HEADER } from '#server/screens/procedures.ts';
import { screensRouter } from '#server/screens/router.ts';
import { findSignedIn, readSessionToken } from '#server/teammates/signed-in.ts';

/** Path prefix of the procedures that open pages call, followed by their names. */
export const SCREENS_PATH = '/api/screens/';

/** Maximum number of procedures per request. */
const BATCH_MAX = 10;
/** Maximum length of a URL. A search has at most 1,000 characters, each with up to 12 in a URL. */
const URL_MAX_LENGTH = 14_000;
const JSON_TYPE = /^application\/json *(?:;|$)/i;

/**
 * Handles procedures of our screens (tRPC over HTTP) for the signed-in teammate: queries by GET, batched, and mutations by POST,
 * one per request, under the same limits as other posts of a page. When another workspace has been opened in the meantime, the
 * request is refused, so that one list never mixes rows of two workspaces, and no change reaches the other one.
 */
export async function handleScreens(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  res.setHeader('Cache-Control', 'private, no-store');
  const isRead = req.method === 'GET';
  if (isCrossSite(req)) {
    const message = isRead ? 'Only pages of this service can read here.' : PAGE_REFUSALS.otherSite;
    return sendJson(res, 403, { message });
  }
  if (req.headers[WORKSPACE_HEADER] === undefined) {
    return sendJson(res, 400, {
      message: `The header ${WORKSPACE_HEADER} must name the workspace of the page.`,
    });
  }
  if (isRead && announcesBody(req)) {
    return sendJson(res, 413, { message: 'A request to read has no body.' }, { Connection: 'close' });
  }
  if ((req.url ?? '').length > URL_MAX_LENGTH) {
    return sendJson(res, 414, { message: `The address must have at most ${URL_MAX_LENGTH} characters.` });
  }
  if (!isRead && !JSON_TYPE.test(req.headers['content-type'] ?? '')) {
    return sendJson(res, 415, { message: 'The Content-Type must be application/json.' });
  }
  const headers = headersOf(req);
  const session = await readSessionToken(headers);
  if (session === null) return sendJson(res, 401, { message: PAGE_REFUSALS.signedOut });
  const run = () => call(req, res, headers, path);
  if (isRead) await withSessionSlot(session, () => readForScreens(session, run));
  else await withPostedBody(req, session, () => withSessionSlot(session, run));
}

async function call(
  req: IncomingMessage,
  res: ServerResponse,
  headers: Headers,
  path: string,
): Promise<void> {
  // The page may have left while the request waited.
  if (res.closed) return;
  const signedIn = await findSignedIn(headers);
  if (!signedIn) return sendJson(res, 401, { message: PAGE_REFUSALS.signedOut });
  if (!signedIn.workspace) return sendJson(res, 403, { message: 'No workspace is open.' });
  if (signedIn.workspace.id !== req.headers[WORKSPACE_HEADER]) {
    return sendJson(res, 409, { message: OTHER_WORKSPACE });
  }
  res.setHeader('X-Content-Type-Options', 'nosniff');
  if (res.closed) return;
  const ended = untilEnded(res);
  void nodeHTTPRequestHandler({
    router: screensRouter,
    path: path.slice(SCREENS_PATH.length),
    req,
    res,
    createContext: () => ({ headers, signedIn, reads: batchReads(), isOpenPage: true }),
    allowBatching: req.method === 'GET',
    maxBatchSize: BATCH_MAX,
    maxBodySize: PAGE_BODY_MAX_BYTES,
    onError: ({ error, path: procedure }) => {
      if (error.code !== 'INTERNAL_SERVER_ERROR' || refusalIn(error)) return;
      log().error({ err: error, requestId: requestId(res), procedure }, 'screens.failed');
    },
  });
  await ended;
}

/**
 * Waits until a response is ended and closed, in either order: a client that leaves closes it first. tRPC's own promise settles only
 * when everything was sent.
 */
function untilEnded(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { end } = res;
  res.end = ((...args: unknown[]) => {
    if (res.closed) resolve();
    else res.once('close', () => resolve());
    return Reflect.apply(end, res, args);
  }) as typeof res.end;
  return promise;
}
