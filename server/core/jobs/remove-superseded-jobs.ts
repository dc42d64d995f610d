import { type JobName, SCHEDULED_TASKS, type ScheduledTask } from '#server/core/jobs/jobs.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/** Tasks whose jobs always have a key. */
const KEYED = [
  'process-updates',
  'retry-update',
  'send-message',
  'send-chat-message',
  ...SCHEDULED_TASKS,
] satisfies (JobName | ScheduledTask)[];

/**
 * Removes jobs that failed for good after another job with their key replaced them: that job does their work, so nothing was
 * given up. The queue marks a replaced job by clearing its key. Waits five minutes, so that a scheduled task that fails each
 * minute counts as given up all the time.
 * @returns the number of removed jobs
 */
export function removeSupersededJobs(): Promise<number> {
  return removeInBatches(`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and key is null and updated_at < now() - interval '5 minutes'
        and task_identifier in (${KEYED.map((task) => `'${task}'`).join(', ')})
      limit ${BATCH_ROWS}
    ))`);
}
