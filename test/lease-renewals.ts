import { pool } from '#server/core/database/db.ts';

/**
 * Counts how often workers renew their leases from now on. Each worker sends one such statement every 500 ms at most, and
 * fewer on a busy machine. A test thereby asserts that something happens soon without asserting a duration.
 * @returns a function that returns the count so far
 */
export async function watchRenewals(): Promise<() => Promise<number>> {
  await pool().query('create sequence if not exists lease_renewals');
  await pool().query(`create or replace function count_lease_renewal() returns trigger language plpgsql as $$
    begin perform nextval('lease_renewals'); return null; end $$`);
  await pool().query(
    `create or replace trigger lease_renewals after update on worker_leases
     for each statement execute function count_lease_renewal()`,
  );
  const read = async () => {
    const { rows } = await pool().query<{ count: number }>(
      'select case when is_called then last_value else 0 end::int as count from lease_renewals',
    );
    return rows[0]?.count ?? 0;
  };
  const before = await read();
  return async () => (await read()) - before;
}
