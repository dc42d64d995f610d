import { cleanUpPool } from '#server/core/database/pools.ts';

/** Rows per statement, for its `limit`, so that no lock is held for long. */
export const BATCH_ROWS = 1_000;
/** Maximum number of statements per run. The next run continues. */
const BATCHES_MAX = 20;

/**
 * Repeats a statement that removes up to `BATCH_ROWS` rows until it finds fewer, 20 times at most. The statement returns or deletes a row for
 * each, and never waits for another process (`for update skip locked`).
 * @returns the number of removed rows
 */
export async function removeInBatches(statement: string): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { rowCount } = await cleanUpPool().query(statement);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH_ROWS) break;
  }
  return removed;
}
