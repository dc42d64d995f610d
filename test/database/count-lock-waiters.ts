import { cleanUpPool } from '#server/core/database/pools.ts';

/**
 * Returns the number of statements that wait for a lock in the test's database, for tests of races. Uses a pool whose connections are
 * free while those of requests wait.
 */
export async function countLockWaiters(): Promise<number> {
  const { rowCount } = await cleanUpPool().query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return Number(rowCount);
}
