import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '#server/core/log.ts';
import { processState } from '#server/core/process-state.ts';

/** Maximum wait for running work at shutdown, in ms. */
const LAST_WAIT_MS = 2_000;

type Runs = { current: Promise<void>; next: Promise<void> | undefined };

/** By name. */
const allRuns = processState(() => new Map<string, Runs>());

/**
 * Runs `work` immediately, or, while work of this name is running in this process, once afterwards for all calls in the meantime.
 * Batches grow with the load, and no call waits for a timer. For work that processes everything that was committed before it. A
 * failure is logged and not retried: callers that rely on the work must also poll.
 * @returns resolves when a run that started after this call has finished or failed; never rejects
 */
export function runCoalesced(name: string, work: () => Promise<unknown>): Promise<void> {
  const runs = allRuns().get(name);
  if (!runs) return begin(name, work);
  runs.next ??= runs.current.then(() => begin(name, work));
  return runs.next;
}

/** Waits for running work before the process exits, two seconds at most. */
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
