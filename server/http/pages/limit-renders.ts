import type { IncomingMessage, ServerResponse } from 'node:http';
import { readForScreens } from '#server/core/database/pools.ts';
import { makeSemaphore, type Semaphore } from '#server/core/limits/semaphore.ts';
import { makeRateLimiter, waitForRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { headersOf, pathOf } from '#server/http/request/request-parts.ts';
import { withSessionSlot } from '#server/http/request/session-slots.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';
import { readSessionToken } from '#server/teammates/signed-in.ts';

/** Longest wait for a render, in ms. */
const WAIT_MS = 10_000;
/** A render for a client that reads slowly frees its slot after this time, in ms. */
const COUNTED_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Renders of an IP address without a session, per second after a burst. A team, or the visitors of a shop, may share one. */
export const VISITOR_RENDERS = { perSecond: 5, burst: 40 };

/** Maximum number of parallel renders per process. Teammates never wait for visitors, who can be anyone. */
export const RENDERS_MAX = { visitors: 2, teammates: 8 };

/**
 * Wraps a renderer: limits how many pages a process renders in parallel, because a render occupies the event loop. Files of the
 * build pass. The API, webhooks and health checks never wait here.
 * @throws RequestProblem `503` after ten seconds of waiting, `429` for too many renders of one session or address
 */
export function limitRenders(render: PageRenderer): PageRenderer {
  const visitors = makeSemaphore({ max: RENDERS_MAX.visitors, waitingMax: 1_000, waitMs: WAIT_MS });
  const teammates = makeSemaphore({ max: RENDERS_MAX.teammates, waitingMax: 1_000, waitMs: WAIT_MS });
  const consumeVisitor = makeRateLimiter(VISITOR_RENDERS);

  return async (req, res, page) => {
    if (isFile(req)) return render(req, res, page);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const session = await readSessionToken(headersOf(req));
    const start = () =>
      isRead ? readForScreens(session ?? 'visitors', () => render(req, res, page)) : render(req, res, page);
    // Next may never settle a request whose client has gone.
    const renderNow = () => Promise.race([start(), untilClosed(res)]);
    if (session !== null) return withSessionSlot(session, () => inSlot(teammates, renderNow));
    const refused = new RequestProblem(429, PAGE_REFUSALS.tooManyPages, RETRY_AFTER_SECONDS);
    await waitForRate(consumeVisitor, clientAddress(req), refused);
    await inSlot(visitors, renderNow);
  };
}

async function inSlot(slots: Semaphore, work: () => Promise<void>): Promise<void> {
  const release = await slots('all');
  if (!release) throw new RequestProblem(503, PAGE_REFUSALS.busy, RETRY_AFTER_SECONDS);
  const patience = setTimeout(release, COUNTED_MS).unref();
  await work().finally(() => {
    clearTimeout(patience);
    release();
  });
}

function untilClosed(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (res.closed) resolve();
    res.once('close', () => resolve());
  });
}

/** Returns whether Next sends a file of the build. It renders nothing for an unknown one. */
function isFile(req: IncomingMessage): boolean {
  return pathOf(req).startsWith('/_next/static/');
}
