import { pool } from '#server/core/database/db.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';

/** Jobs that one statement moves at most; more go with the next. */
const BATCH = 1_000;

/**
 * Takes the oldest queued jobs and puts them into the queue, which notifies the workers: in one statement, so that a job
 * is in exactly one of the two. Rows that another process is moving are passed over. Of jobs with the same key the last
 * one counts, as if they had been added one after the other. Those with a key are added one by one in the order of
 * their keys: `add_jobs` takes the rows of many in any order, and two processes could wait for each other.
 */
export const MOVE = {
  name: 'move-jobs',
  text: `
    with taken as (
      delete from queued_jobs
      where id = any (array(select id from queued_jobs order by id limit ${BATCH} for update skip locked))
      returning id, job_key,
        (task, payload, queue_name, coalesce(run_at, queued_at), null, job_key, null, null)::graphile_worker.job_spec
          as spec
    ), keyed as (
      select distinct on (job_key) job_key, spec from taken where job_key is not null order by job_key, id desc
    ), others as (
      select array_agg(spec order by id) as specs from taken where job_key is null having count(*) > 0
    ), added as (
      select 1 from others, graphile_worker.add_jobs(others.specs)
      union all
      select 1 from (select spec from keyed order by job_key) k, graphile_worker.add_jobs(array[k.spec])
    )
    select (select count(*) from taken)::int as taken, (select count(*) from added)::int as added`,
};

/**
 * Moves the jobs of committed changes into the queue: at once when this process is not moving any, else together with
 * all that were queued meanwhile. Nothing is lost when it fails: the workers do the same each second.
 * @returns resolves when all that were there have been moved, or moving them has failed; never rejects
 */
export function moveJobs(): Promise<void> {
  return runCoalesced('move-jobs', moveAll);
}

async function moveAll(): Promise<void> {
  for (let taken = BATCH; taken === BATCH; ) {
    const { rows } = await pool().query<{ taken: number }>(MOVE);
    taken = rows[0]?.taken ?? 0;
  }
}
