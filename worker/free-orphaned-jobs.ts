import { cleanUpPool } from '#server/core/database/db.ts';
import { log } from '#server/core/log.ts';

/**
 * Frees jobs that are locked by a pool without a lease: one that was killed in the moment between its first job and
 * its lease. They are few and rare; all others are freed within seconds.
 */
export async function freeOrphanedJobs(): Promise<void> {
  const { rows } = await cleanUpPool().query<{ pools: number }>(`
    with orphaned as (
      select distinct locked_by as pool_id from graphile_worker._private_jobs
      where locked_at < now() - interval '1 minute'
      except
      select pool_id from worker_leases
    ), freed as (
      select graphile_worker.force_unlock_workers(array_agg(pool_id)) from orphaned having count(*) > 0
    )
    select (select count(*) from orphaned)::int as pools, (select count(*) from freed) as freed`);
  const pools = rows[0]?.pools ?? 0;
  if (pools > 0) log().warn({ pools }, 'worker.freed_orphaned_jobs');
}
