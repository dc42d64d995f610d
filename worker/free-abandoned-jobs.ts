import { pool } from '#server/db.ts';
import { log } from '#server/log.ts';

/**
 * Frees every job that is locked. Only for a worker that knows itself to be alone on its database, before it takes
 * its first job: whoever holds a lock then was killed. Otherwise its jobs would wait for four hours.
 */
export async function freeAbandonedJobs(): Promise<void> {
  const { rows } = await pool().query<{ holders: number }>(`
    with holders as (
      select locked_by as id from graphile_worker._private_jobs where locked_by is not null
      union
      select locked_by from graphile_worker._private_job_queues where locked_by is not null
    ), freed as (
      select graphile_worker.force_unlock_workers(array_agg(id)) from holders having count(*) > 0
    )
    select (select count(*) from holders)::int as holders, (select count(*) from freed) as freed`);
  const holders = rows[0]?.holders ?? 0;
  if (holders > 0) log().warn({ holders }, 'worker.freed_abandoned_jobs');
}
