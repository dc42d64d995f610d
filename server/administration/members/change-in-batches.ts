import { cleanUpPool } from '#server/core/database/pools.ts';

/** Rows per statement, so that no lock is held for long. */
export const BATCH = 500;
/** Time limit of one job in ms; another job continues after that. */
const TIME_LIMIT_MS = 10_000;

/**
 * Runs statements one after the other, each until it changes no row or the time is up.
 * @param statements each changes at most `BATCH` rows and takes `id` as its only parameter
 * @returns whether all statements are finished
 */
export async function changeInBatches(
  statements: readonly string[],
  id: string,
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<boolean> {
  const until = performance.now() + timeLimitMs;
  for (const statement of statements) {
    for (;;) {
      const { rowCount } = await cleanUpPool().query(statement, [id]);
      if (!rowCount) break;
      // Only after a change, so that each job makes progress, however slow the database is.
      if (performance.now() > until) return false;
    }
  }
  return true;
}
