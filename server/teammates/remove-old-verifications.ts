import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/** Removes expired challenges of passkeys, sign-ins at providers, links and notes of sent emails. Returns their number. */
export function removeOldVerifications(): Promise<number> {
  return removeInBatches(`
    delete from verifications where id in (
      select id from verifications where expires_at < now() limit ${BATCH_ROWS} for update skip locked
    )`);
}
