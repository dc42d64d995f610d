import { log } from '#server/log.ts';

/** How much is done at once: so many are found together, and after so many milliseconds no more are begun. */
export type Some = { batch: number; goOnForMs: number };

const DEFAULTS: Some = { batch: 200, goOnForMs: 10_000 };

/**
 * Does by the clock what is due, one after the other, until nothing is left that works or the time is up: the rest is
 * done the next time. One that fails is logged and holds up no other.
 * @param find the first of what is due, at most so many; what is done must no longer be found
 * @param work whether anything was done: false when it was not due any more
 * @returns how many were done
 */
export async function doSome<Due extends { id: string }>(
  failure: string,
  {
    find,
    work,
    batch = DEFAULTS.batch,
    goOnForMs = DEFAULTS.goOnForMs,
  }: { find: (limit: number) => Promise<Due[]>; work: (due: Due) => Promise<boolean> } & Partial<Some>,
): Promise<number> {
  const until = performance.now() + goOnForMs;
  let done = 0;
  for (;;) {
    const found = await find(batch);
    const before = done;
    for (const due of found) {
      if (performance.now() > until) return done;
      try {
        if (await work(due)) done += 1;
      } catch (error) {
        log().warn({ err: error, id: due.id }, failure);
      }
    }
    if (found.length < batch || done === before) return done;
  }
}
