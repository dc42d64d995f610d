import { pool } from '#server/core/database/db.ts';

/**
 * Registers the names of tasks in the job queue, in alphabetical order. Each pool and each scheduler registers the names
 * that it meets first, in orders of their own: on a new database two of them could wait for each other.
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
