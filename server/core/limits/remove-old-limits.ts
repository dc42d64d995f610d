import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/** Removes the counts of windows that ended over an hour ago. Returns the number of removed rows. */
export function removeOldLimits(): Promise<number> {
  return removeInBatches(`
    delete from rate_limits where key in (
      select key from rate_limits where expire < (extract(epoch from now()) - 3600) * 1000
      limit ${BATCH_ROWS} for update skip locked
    )`);
}
