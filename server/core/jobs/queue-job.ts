import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { ALWAYS } from '#server/core/database/statement-parts.ts';
import type { JobName, JobPayload } from '#server/core/jobs/jobs.ts';
import { moveJobs } from '#server/core/jobs/move-jobs.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * `inSeconds`: not before. `key`: takes the place of a job with the same key, and ends the retries of one under way.
 * `queue`: jobs of one queue run one after the other, over all workers.
 */
export type JobOptions = { inSeconds?: number; key?: string; queue?: string };

/**
 * Queues a job in the transaction of the change that needs it: as a row of our own, which goes into the queue after the
 * commit. The queue's own `add_job` notifies, and PostgreSQL commits transactions that notify one after the other.
 */
export async function queueJob<Name extends JobName>(
  tx: Tx,
  name: Name,
  payload: JobPayload<Name>,
  options: JobOptions = {},
): Promise<void> {
  await tx.$executeRaw(jobRow(name, payload, options));
  afterCommit(tx, startMovingJobs);
}

/**
 * The same as a statement, to be a part of a larger one; after its commit comes `startMovingJobs`.
 * @param when what must hold for it to be queued
 */
export function jobRow<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  { inSeconds = 0, key, queue }: JobOptions = {},
  when: Prisma.Sql = ALWAYS,
): Prisma.Sql {
  return Prisma.sql`
    insert into queued_jobs (task, payload, run_at, job_key, queue_name)
    select ${name}::text, ${JSON.stringify(payload)}::json,
      case when ${inSeconds}::int > 0 then clock_timestamp() + make_interval(secs => ${inSeconds}::int) end,
      ${key ?? null}::text, ${queue ?? null}::text
    where ${when}`;
}

/** For `afterCommit`, of a change whose own statement writes rows of `queued_jobs`. */
export function startMovingJobs(): void {
  void moveJobs();
}
