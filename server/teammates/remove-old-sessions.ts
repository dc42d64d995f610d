import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/** Removes expired sessions, with the address and browser of their teammates. Returns their number. */
export function removeOldSessions(): Promise<number> {
  return removeInBatches(`
    delete from sessions where id in (
      select id from sessions where expires_at < now() order by expires_at limit ${BATCH_ROWS} for update skip locked
    )`);
}
