import { db } from '#server/db.ts';
import type { Tasks } from '#server/queue-job.ts';

export type QueuedJob = { [Name in keyof Tasks]: { task: Name; payload: Tasks[Name] } }[keyof Tasks];

/** The jobs that wait for a worker, in the order in which they were queued. */
export function queuedJobs(): Promise<QueuedJob[]> {
  return db().$queryRaw<QueuedJob[]>`
    select t.identifier as task, j.payload
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    order by j.id`;
}

/** Forgets the jobs of an earlier test, and its events that are to be fanned out. */
export async function forgetJobs(): Promise<void> {
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await db().eventToFanOut.deleteMany();
}
