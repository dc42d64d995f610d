import { REMOVED_AT_ONCE, removeInBatches } from '#server/core/database/remove-in-batches.ts';

/** Removes what was counted in windows that ended an hour ago. Returns how many rows went. */
export function removeOldLimits(): Promise<number> {
  return removeInBatches(`
    delete from rate_limits where key in (
      select key from rate_limits where expire < (extract(epoch from now()) - 3600) * 1000
      limit ${REMOVED_AT_ONCE} for update skip locked
    )`);
}
