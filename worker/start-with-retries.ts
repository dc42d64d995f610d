import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '#server/core/database/retry-while-database-away.ts';
import { log } from '#server/core/log.ts';

/** Pauses between two attempts, in ms: the first, doubled each time up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Starts a part of the worker. While the database is unreachable or slow to connect, `start` is called again with backoff,
 * and each failure is logged as `worker.start_retried`.
 * @param giveUpAt timestamp of `performance.now()` after which the next failure is final
 * @throws the last error after that timestamp, and any other error immediately, such as a wrong password
 */
export async function startWithRetries<T>(start: () => Promise<T>, giveUpAt: number): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await start();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
      log().warn({ err: error, pauseMs }, 'worker.start_retried');
      await sleep(pauseMs);
    }
  }
}
