import { NIL } from 'uuid';
import { log } from '#server/core/log.ts';

/** Limits of a run: rows that are read together, and the duration after which no further row starts, in ms. */
export type RunLimits = { batch: number; runMs: number };

/** Id after which the next run continues, by failure. Set when a run is out of time. */
const cursors = new Map<string, string>();

/**
 * Processes due rows one by one, for a task that runs at intervals. A row that fails is logged under the name `failure` and
 * does not delay others: the cursor moves past it, and a later run tries it again. A run that is out of time leaves the rest to the next.
 * @param find returns the first due rows with an id above `after`, in the order of their ids
 * @param work returns whether anything was done: false when the row is no longer due
 * @returns the number of processed rows
 */
export async function processDue<Due extends { id: string }>(
  failure: string,
  {
    find,
    work,
    batch = 200,
    runMs = 10_000,
  }: {
    find: (limit: number, after: string) => Promise<Due[]>;
    work: (due: Due) => Promise<boolean>;
  } & Partial<RunLimits>,
): Promise<number> {
  const endsAt = performance.now() + runMs;
  let after = cursors.get(failure) ?? NIL;
  cursors.delete(failure);
  for (let done = 0; ; ) {
    const found = await find(batch, after);
    for (const due of found) {
      if (performance.now() > endsAt) {
        cursors.set(failure, after);
        return done;
      }
      after = due.id;
      try {
        if (await work(due)) done += 1;
      } catch (error) {
        log().warn({ err: error, id: due.id }, failure);
      }
    }
    if (found.length < batch) return done;
  }
}
