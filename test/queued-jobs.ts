import { db } from '#server/core/database/db.ts';
import type { JobName, JobPayload } from '#server/core/jobs/jobs.ts';
import { moveJobs } from '#server/core/jobs/move-jobs.ts';
import { until } from '#test/until.ts';

export type QueuedJob = { [Name in JobName]: { task: Name; payload: JobPayload<Name> } }[JobName];

/** The jobs that wait for a worker, in the order in which they were queued. */
export async function queuedJobs(): Promise<QueuedJob[]> {
  await allMoved();
  return db().$queryRaw<QueuedJob[]>`
    select t.identifier as task, j.payload
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    order by j.run_at, j.id`;
}

/** Forgets the jobs of an earlier test, and its events that are to be fanned out. */
export async function forgetJobs(): Promise<void> {
  await allMoved();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await db().eventToFanOut.deleteMany();
}

/** Waits until the jobs of all changes are in the queue. */
export async function allMoved(): Promise<void> {
  await until('queued jobs are moved', async () => {
    await moveJobs();
    return (await db().queuedJob.count()) === 0;
  });
}
