import { pool } from '#server/core/database/pools.ts';

/** How many statements wait for a lock in the test's database: tests that need a race wait until there is one. */
export async function countLockWaiters(): Promise<number> {
  const { rowCount } = await pool().query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return Number(rowCount);
}
