import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '#server/core/log.ts';

/** How long a process that ends waits for what runs, in milliseconds. */
const LAST_WAIT_MS = 2_000;

type Runs = { current: Promise<void>; next: Promise<void> | undefined };

/** By name. Shared with Next's copy of this module: it does the same work. */
const shared = globalThis as typeof globalThis & { serviceRuns?: Map<string, Runs> };

/**
 * Runs `work` at once when nothing of this name runs in the process, else once more after the run under way, for all
 * calls that came meanwhile together. So batches come of load and not of timers, and no one waits for a pause. For
 * work that takes whatever is there, after the commit of what put it there. One that fails is logged, and must be made
 * up for elsewhere: callers that rely on it also look by the clock.
 * @returns resolves when a run that began after this call has ended, well or not; never rejects
 */
export function runCoalesced(name: string, work: () => Promise<unknown>): Promise<void> {
  const runs = allRuns().get(name);
  if (!runs) return begin(name, work);
  runs.next ??= runs.current.then(() => begin(name, work));
  return runs.next;
}

/** Resolves when nothing runs any more, for the end of the process; waits for two seconds at most. */
export async function settleRuns(): Promise<void> {
  const settled = (async () => {
    while (allRuns().size > 0) await Promise.all([...allRuns().values()].map(({ current }) => current));
  })();
  await Promise.race([settled, sleep(LAST_WAIT_MS, undefined, { ref: false })]);
}

function begin(name: string, work: () => Promise<unknown>): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const runs: Runs = { current: ended.promise, next: undefined };
  allRuns().set(name, runs);
  void (async () => {
    try {
      await work();
    } catch (error) {
      log().warn({ err: error, name }, 'run.failed');
    } finally {
      if (runs.next === undefined) allRuns().delete(name);
      ended.resolve();
    }
  })();
  return ended.promise;
}

function allRuns(): Map<string, Runs> {
  shared.serviceRuns ??= new Map();
  return shared.serviceRuns;
}
