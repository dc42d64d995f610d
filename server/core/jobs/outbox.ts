import { afterCommit } from '#server/core/database/after-commit.ts';
import { ALWAYS } from '#server/core/database/parts.ts';
import { pool } from '#server/core/database/pools.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { JobName, JobPayload } from '#server/core/jobs/jobs.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * `inSeconds`: minimum delay. `key`: replaces the job with the same key, and stops the retries of a running one. `queue`: jobs of one
 * queue run one at a time, across all workers.
 */
export type JobOptions = { inSeconds?: number; key?: string; queue?: string };

/**
 * Queues a job in the transaction of the change that needs it: as a row of `job_outbox`, which moves to the queue after
 * the commit. The queue's own `add_job` notifies, and PostgreSQL commits transactions that notify one after the other.
 */
export async function queueJob<Name extends JobName>(
  tx: SqlDb,
  name: Name,
  payload: JobPayload<Name>,
  options: JobOptions = {},
): Promise<void> {
  await tx.$executeRaw(jobRow(name, payload, options));
  afterCommit(tx, startMovingJobs);
}

/**
 * Returns the statement of `queueJob`, as a part of a larger one. The caller passes `startMovingJobs` to `afterCommit`.
 * @param when condition under which the job is queued
 */
export function jobRow<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  { inSeconds = 0, key, queue }: JobOptions = {},
  when: Prisma.Sql = ALWAYS,
): Prisma.Sql {
  return Prisma.sql`
    insert into job_outbox (task, payload, run_at, job_key, queue_name)
    select ${name}::text, ${JSON.stringify(payload)}::json,
      case when ${inSeconds}::int > 0 then clock_timestamp() + make_interval(secs => ${inSeconds}::int) end,
      ${key ?? null}::text, ${queue ?? null}::text
    where ${when}`;
}

/** For `afterCommit` of a change whose own statement inserts into `job_outbox`. */
export function startMovingJobs(): void {
  void moveJobs();
}

/**
 * Moves the jobs of committed changes to the queue, after the move that this process has in flight, if any. A failure loses nothing,
 * because workers do the same each second.
 * @returns resolves when all jobs committed before have been moved, or moving them has failed; never rejects
 */
export function moveJobs(): Promise<void> {
  return runCoalesced('move-jobs', moveAll);
}

async function moveAll(): Promise<void> {
  for (let moved = BATCH; moved === BATCH; ) {
    const { rows } = await pool().query<{ moved: number }>(MOVE);
    moved = rows[0]?.moved ?? 0;
  }
}

/** Maximum number of jobs that one statement moves. */
const BATCH = 1_000;

/**
 * Moves the oldest jobs in one statement, so that a job is in exactly one of the two tables, and notifies the workers. Rows
 * that another process is moving are skipped. The last job with a key replaces the others. Jobs with a key are added one by one in
 * the order of their keys, because `add_jobs` locks rows in any order and two processes could deadlock.
 */
export const MOVE = {
  name: 'move-jobs',
  text: `
    with moved as (
      delete from job_outbox
      where id = any (array(select id from job_outbox order by id limit ${BATCH} for update skip locked))
      returning id, job_key,
        (task, payload, queue_name, coalesce(run_at, queued_at), null, job_key, null, null)::graphile_worker.job_spec
          as spec
    ), keyed as (
      select distinct on (job_key) job_key, spec from moved where job_key is not null order by job_key, id desc
    ), others as (
      select array_agg(spec order by id) as specs from moved where job_key is null having count(*) > 0
    ), added as (
      select 1 from others, graphile_worker.add_jobs(others.specs)
      union all
      select 1 from (select spec from keyed order by job_key) k, graphile_worker.add_jobs(array[k.spec])
    )
    select (select count(*) from moved)::int as moved, (select count(*) from added)::int as added`,
};
