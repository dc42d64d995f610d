import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';

/** Parallel requests of one session per process: pages, actions and procedures of open pages. Others wait. */
export const SESSION_SLOTS = { max: 4, waitingMax: 30, waitMs: 10_000 };

const slots = makeSemaphore(SESSION_SLOTS);

/**
 * Runs `work` when the session has a free slot. `work` must settle even if the client has gone.
 * @throws RequestProblem `429` when too many requests of the session wait, or after ten seconds
 */
export async function withSessionSlot<T>(sessionToken: string, work: () => Promise<T>): Promise<T> {
  const release = await slots(sessionToken);
  if (!release) throw new RequestProblem(429, PAGE_REFUSALS.tooManyPages, 5);
  return work().finally(release);
}
