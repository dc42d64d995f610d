import { pool } from '#server/core/database/pools.ts';

/**
 * Returns the number of statements that wait for a lock in the test's database. Tests of race conditions wait
 * for them.
 */
export async function countLockWaiters(): Promise<number> {
  const { rowCount } = await pool().query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return Number(rowCount);
}
