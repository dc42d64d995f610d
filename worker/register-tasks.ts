import { pool } from '#server/core/database/db.ts';

/**
 * Registers the names of tasks in the job queue, in alphabetical order. Pools and their
 * schedulers also register names that are missing, in different orders, and would deadlock on a new database.
 */
export async function registerTasks(names: string[]): Promise<void> {
  await pool().query(
    `insert into graphile_worker._private_tasks (identifier)
     select name from unnest($1::text[]) as name
     where not exists (select from graphile_worker._private_tasks where identifier = name)
     order by name
     on conflict do nothing`,
    [names],
  );
}
