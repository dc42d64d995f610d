import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict, isDatabaseAway } from '#server/core/database/errors.ts';
import { log } from '#server/core/log.ts';

/** Duration and interval of retries while the database is unreachable, in ms. */
const RETRY_MS = 15_000;
const PAUSE_MS = 200;

/**
 * Retries `work` while the database is unreachable. For results that must not be lost, and only for work that may run twice.
 * @param retryMs maximum duration
 */
export async function retryWhileDatabaseAway<T>(work: () => Promise<T>, retryMs = RETRY_MS): Promise<T> {
  const giveUpAt = performance.now() + retryMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
      log().debug({ err: error }, 'database.away');
      await sleep(PAUSE_MS);
    }
  }
}

const ATTEMPTS = 4;

/** Runs a transaction, with up to three retries after deadlocks and serialization failures. */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isConflict(error)) throw error;
    }
  }
}
