import { pool } from '#server/core/database/db.ts';

/** How many are ended at once: no lock is held for long. */
const BATCH = 1_000;

/** Ends deliveries of a hook that was removed, with the hook's row locked before theirs. */
const STATEMENT = {
  name: 'cancel-deliveries',
  text: `
    with lane as (
      select id from hooks where id = $1 and removed_at is not null for no key update
    ), doomed as (
      select d.event_id, d.hook_id from deliveries d, lane
      where d.hook_id = lane.id and d.ended_at is null and d.event_id <> all ($2::uuid[])
      limit ${BATCH}
      for update of d
    )
    update deliveries d set ended_at = now(), outcome = 'cancelled', next_attempt_at = null
    from doomed
    where d.event_id = doomed.event_id and d.hook_id = doomed.hook_id`,
};

/**
 * Ends what a removed hook has yet to get. May run again at any time.
 * @param busy events that are under way to it: these end with their attempts
 */
export async function cancelDeliveries(hookId: string, busy: string[]): Promise<void> {
  for (let ended = BATCH; ended === BATCH; ) {
    const { rowCount } = await pool().query({ ...STATEMENT, values: [hookId, busy] });
    ended = rowCount ?? 0;
  }
}
