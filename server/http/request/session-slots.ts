import type { ServerResponse } from 'node:http';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';

/** Requests of one session at once per process: pages, actions and queries of open pages. Others wait. */
export const SESSION_SLOTS = { max: 4, waitingMax: 30, waitMs: 10_000 };

const slots = makeSemaphore(SESSION_SLOTS);

/**
 * Runs `work` when the session has a free slot. The slot is free again when the work has ended or the client has gone: tRPC and
 * Next may never settle a request that the page cancelled.
 * @throws RequestProblem `429` when too many requests of the session wait, or after ten seconds
 */
export async function withSessionSlot<T>(
  sessionToken: string,
  res: ServerResponse,
  work: () => Promise<T>,
): Promise<T> {
  const release = await slots(sessionToken);
  if (!release) throw new RequestProblem(429, PAGE_REFUSALS.tooManyPages, 5);
  res.once('close', release);
  if (res.closed) release();
  return work().finally(release);
}
