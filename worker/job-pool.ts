import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '#server/core/log.ts';
import { type RunningPool, type RunningPoolOptions, runPool } from '#worker/run-pool.ts';

/** What is in flight may finish for so long once the worker ends: longer than a delivery, in milliseconds. */
const DRAIN_MS = 19_000;
/** The pause before another pool is started, in milliseconds; doubled up to the second number, which is a long life. */
const RESTART_MS = [250, 4_000] as const;

export type JobPool = {
  /** Finishes what is in flight, for at most 19 s, and ends. */
  stop(): Promise<void>;
};

/**
 * Works off jobs until it is stopped: in a pool of the library under a lease, and in another one when the database
 * failed it or others declared it dead. What that one has in flight finishes beside the next.
 * @throws when the first one cannot be started
 */
export async function startJobPool(options: RunningPoolOptions): Promise<JobPool> {
  const first = await runPool(options);
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve());
  });
  const finishing = new Set<Promise<void>>();
  let back = Promise.withResolvers<void>();
  options.leases.onBack(() => {
    back.resolve();
    back = Promise.withResolvers();
  });
  const keeping = keep(first);

  async function keep(first: RunningPool): Promise<void> {
    let pause: number = RESTART_MS[0];
    for (let current: RunningPool | undefined = first; current; ) {
      const startedAt = performance.now();
      await Promise.race([current.over, stopped]);
      const finished: Promise<void> = current.finish().finally(() => finishing.delete(finished));
      finishing.add(finished);
      if (performance.now() - startedAt > RESTART_MS[1]) pause = RESTART_MS[0];
      for (current = undefined; !current && !stopping.signal.aborted; ) {
        log().warn({ pool: options.name, pauseMs: pause }, 'worker.pool_replaced');
        // Not for the whole of a long pause once the database is back.
        await Promise.race([
          sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined),
          back.promise,
        ]);
        if (!stopping.signal.aborted) current = await tryToRun();
        pause = Math.min(2 * pause, RESTART_MS[1]);
      }
    }
  }

  async function tryToRun(): Promise<RunningPool | undefined> {
    try {
      return await runPool(options);
    } catch (error) {
      log().warn({ err: error, pool: options.name }, 'worker.pool_not_started');
      return undefined;
    }
  }

  return {
    stop: async () => {
      stopping.abort();
      const drained = keeping.then(() => Promise.all(finishing));
      await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })]);
    },
  };
}
