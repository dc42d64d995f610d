import { pool } from '#server/db.ts';

/** How many are ended at once: no lock is held for long. */
const BATCH = 1_000;

/** Ends deliveries that have not begun, with the hook's row locked before theirs and its counts kept. */
const STATEMENT = {
  name: 'cancel-deliveries',
  text: `
    with lane as (
      select id from hooks where id = $1 for no key update
    ), doomed as (
      select d.id, d.stage from deliveries d, lane
      where d.hook_id = lane.id and d.ended_at is null and ($2::uuid is null or d.id = $2)
        and (d.stage in ('queued', 'waiting') or d.id = $2)
      limit ${BATCH}
      for update of d
    ), ended as (
      update deliveries d set ended_at = now(), outcome = 'cancelled', next_attempt_at = null, stage = null
      from doomed
      where d.id = doomed.id
    ), counted as (
      update hooks h
      set waiting = h.waiting - (select count(*) from doomed where stage = 'waiting'),
        in_flight = h.in_flight - (select count(*) from doomed where stage in ('in_flight', 'handed_on'))
      from lane
      where h.id = lane.id
    )
    select count(*)::int as ended from doomed`,
};

/**
 * Ends what a removed hook has yet to get. What is in flight ends with its attempt. May run again at any time.
 * @returns how many ended
 */
export async function cancelDeliveries(hookIds: string[]): Promise<number> {
  let ended = 0;
  for (const hookId of hookIds) {
    for (let batch = BATCH; batch === BATCH; ended += batch) {
      const { rows } = await pool().query<{ ended: number }>({ ...STATEMENT, values: [hookId, null] });
      batch = rows[0]?.ended ?? 0;
    }
  }
  return ended;
}

/** Ends one delivery whose hook was removed before its attempt began, and frees its slot. */
export async function cancelDelivery(delivery: { id: string; hookId: string }): Promise<void> {
  await pool().query({ ...STATEMENT, values: [delivery.hookId, delivery.id] });
}
