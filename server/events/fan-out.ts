import { pool } from '#server/db.ts';

/**
 * One statement makes the deliveries of events and queues their first attempts. A hook gets an event when it is
 * live, was there before the event, and its filter is empty or among the event's values. Run again after a crash
 * it makes nothing twice: a delivery is unique per event and hook, and its job is made with it.
 */
const STATEMENT = {
  name: 'fan-out',
  text: `
    with made as (
      insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
      select gen_random_uuid(), e.workspace_id, e.id, h.id, now()
      from events e
      join hooks h on h.workspace_id = e.workspace_id and h.event = e.key
      where e.id = any ($1::uuid[]) and h.removed_at is null and h.created_at <= e.created_at
        and (h.filter_key is null or h.filter_key = any (e.filter_values))
      order by e.id
      on conflict (event_id, hook_id) do nothing
      returning id
    )
    select (graphile_worker.add_job('deliver', json_build_object('deliveryId', id, 'attempt', 1))).id from made`,
};

/** Fans events out to the hooks that listen for them. Returns how many deliveries were made. */
export async function fanOut(eventIds: string[]): Promise<number> {
  const { rowCount } = await pool().query({ ...STATEMENT, values: [eventIds] });
  return rowCount ?? 0;
}
