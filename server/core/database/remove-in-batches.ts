import { cleanUpPool } from '#server/core/database/db.ts';

/** So many rows a statement removes, for its `limit`: no lock is held for long. */
export const REMOVED_AT_ONCE = 1_000;
/** So many statements a run takes: what is left waits for the next. */
const BATCHES_MAX = 20;

/**
 * Runs a statement that removes at most `REMOVED_AT_ONCE` rows until it finds fewer, 20 times at most. It passes over rows that
 * someone else has locked (`for update skip locked`), so it may run anywhere at the same time. Returns how many went.
 */
export async function removeInBatches(statement: string): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { rowCount } = await cleanUpPool().query(statement);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < REMOVED_AT_ONCE) break;
  }
  return removed;
}
