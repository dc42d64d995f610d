import type { JobName } from '#server/core/jobs/jobs.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/** Tasks whose jobs always have a key, besides the scheduled ones. */
const KEYED = ['process-updates', 'retry-update', 'send-message', 'send-chat-message'] satisfies JobName[];

/**
 * Removes jobs that failed for good after another job with their key replaced them: that job does their work, so nothing was
 * given up. The queue marks a replaced job by clearing its key. Waits five minutes, so that a scheduled task that fails each
 * minute counts as given up all the time.
 * @returns the number of removed jobs
 */
export function removeSupersededJobs(): Promise<number> {
  return removeInBatches(`
    delete from graphile_worker._private_jobs where id in (
      select id from graphile_worker._private_jobs
      where attempts >= max_attempts and locked_at is null and key is null and updated_at < now() - interval '5 minutes'
        and task_id in (
          select id from graphile_worker._private_tasks
          where identifier in (${KEYED.map((task) => `'${task}'`).join(', ')})
            or identifier in (select identifier from graphile_worker._private_known_crontabs)
        )
      limit ${BATCH_ROWS} for update skip locked
    )`);
}
