import { log } from '#server/core/log.ts';

/** How much is done at once: so many are found together, and after so many milliseconds no more are begun. */
export type Some = { batch: number; goOnForMs: number };

const DEFAULTS: Some = { batch: 200, goOnForMs: 10_000 };
/** So many of what failed are remembered at most. */
const REMEMBERED_MAX = 1_000;

/** By failure the ids that failed the last time in this process. */
const failedBefore = new Map<string, string[]>();

/**
 * Does by the clock what is due, until nothing is left that works or the time is up: the rest is done the next time. One
 * that fails is logged and holds up no other, however often it fails: it is passed over for the rest of the run, and the
 * next time the others come first.
 * @param find the first of what is due, at most so many and none of the ids passed over; what is done must no longer be
 *   found
 * @param work whether anything was done: false when it was not due any more
 * @returns how many were done
 */
export async function processDue<Due extends { id: string }>(
  failure: string,
  {
    find,
    work,
    batch = DEFAULTS.batch,
    goOnForMs = DEFAULTS.goOnForMs,
  }: {
    find: (limit: number, passedOver: string[]) => Promise<Due[]>;
    work: (due: Due) => Promise<boolean>;
  } & Partial<Some>,
): Promise<number> {
  const until = performance.now() + goOnForMs;
  const late = failedBefore.get(failure) ?? [];
  const passedOver = new Set(late);
  const failed: string[] = [];
  let done = 0;

  async function doOne(due: Due): Promise<void> {
    try {
      if (await work(due)) done += 1;
      else passedOver.add(due.id);
    } catch (error) {
      log().warn({ err: error, id: due.id }, failure);
      passedOver.add(due.id);
      failed.push(due.id);
    }
  }

  /** Returns whether there was time for all that is not passed over. */
  async function doAll(): Promise<boolean> {
    for (;;) {
      if (performance.now() > until) return false;
      const found = await find(batch, [...passedOver]);
      for (const due of found) {
        if (performance.now() > until) return false;
        await doOne(due);
      }
      if (found.length < batch) return true;
    }
  }

  let isComplete = await doAll();
  if (isComplete && late.length > 0) {
    for (const id of late) passedOver.delete(id);
    isComplete = await doAll();
  }
  failedBefore.set(failure, [...(isComplete ? [] : late), ...failed].slice(-REMEMBERED_MAX));
  return done;
}
