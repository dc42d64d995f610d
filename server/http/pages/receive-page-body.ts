import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { addressKey } from '#server/core/limits/address-key.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { holdBodyBytes, waitForBodyRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { watchBodySpeed } from '#server/http/request/read-body.ts';
import { headersOf, isCrossSite, pathOf } from '#server/http/request/request-parts.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';
import { readSessionToken } from '#server/teammates/signed-in.ts';

/** Maximum size of what a page posts, in bytes. Next accepts as much from a server action. */
export const PAGE_BODY_MAX_BYTES = 1024 * 1024;
const RETRY_AFTER_SECONDS = 10;
/** Pages whose forms need no session. */
const PUBLIC_FORMS =
  /^\/(?:sign-in|address|invitation|forgot-password|reset-password|verify|chat\/[^/]+|rate\/[^/]+)\/*$/;

/**
 * Wraps a renderer: reads a posted body before Next does, because Next would collect any number of slow bodies without a bound.
 * A post from another site, or without a session where one is needed, is refused before its body is read. Next then reads the
 * same bytes from the request.
 * @throws RequestProblem for a body that is refused, too slow, or too much for the process
 */
export function receivePageBodies(render: PageRenderer): PageRenderer {
  return async (req, res, page) => {
    if (page || req.method === 'GET' || req.method === 'HEAD') return render(req, res, page);
    if (isCrossSite(req)) throw new RequestProblem(403, PAGE_REFUSALS.otherSite);
    const session = await readSessionToken(headersOf(req));
    if (session === null && !PUBLIC_FORMS.test(pathOf(req)))
      throw new RequestProblem(401, PAGE_REFUSALS.signedOut);
    await withPostedBody(req, session, () => render(req, res));
  };
}

const slots = makeSemaphore({ max: 20, waitingMax: 20, waitMs: 10_000 });

/**
 * Receives the body that a page posts, then runs `work`, which reads the same bytes from the request.
 * @throws RequestProblem for a body that is refused, too slow, or too much for its session or the process
 */
export async function withPostedBody(
  req: IncomingMessage,
  session: string | null,
  work: () => Promise<void>,
): Promise<void> {
  const length = bodyLength(req);
  const address = clientAddress(req);
  const releaseSlot = await slots(session ?? addressKey(address));
  if (!releaseSlot) throw new RequestProblem(429, PAGE_REFUSALS.tooManyPosts, RETRY_AFTER_SECONDS);
  let releaseBytes = () => {};
  try {
    releaseBytes = holdBodyBytes(length);
    await receiveBody(req, length, address);
  } catch (error) {
    releaseBytes();
    throw error;
  } finally {
    releaseSlot();
  }
  // The bytes stay in memory until they are parsed.
  await work().finally(releaseBytes);
}

function bodyLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) throw new RequestProblem(411, PAGE_REFUSALS.noLength);
  const length = Number(headers['content-length'] ?? 0);
  if (length > PAGE_BODY_MAX_BYTES) throw new RequestProblem(413, PAGE_REFUSALS.tooLarge);
  return length;
}

/** Waits until the whole body has arrived, and leaves it in the request's buffer. */
async function receiveBody(req: IncomingMessage, length: number, address: string): Promise<void> {
  const ending = new AbortController();
  let isReading = true;
  const stopWatching = watchBodySpeed(
    req,
    (problem) => ending.abort(problem),
    () => isReading,
  );
  const closed = () => ending.abort(new Error('The client closed the connection.'));
  req.once('close', closed);
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    while (received < length) {
      ending.signal.throwIfAborted();
      const chunk: Buffer | null = req.read();
      if (chunk === null) {
        await once(req, 'readable', { signal: ending.signal });
        continue;
      }
      chunks.push(chunk);
      received += chunk.length;
      // Without a wait: a request that has been read completely ends in the next tick, unless it has bytes again.
      if (received >= length) req.unshift(Buffer.concat(chunks));
      isReading = false;
      await waitForBodyRate(address, chunk.length);
      isReading = true;
    }
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    stopWatching();
    req.off('close', closed);
  }
}
