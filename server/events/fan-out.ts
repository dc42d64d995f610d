import { pool } from '#server/db.ts';
import { DELIVER_TASK } from '#server/deliveries/pace.ts';
import type { EventKey } from '#server/events/catalogue.ts';

/**
 * One statement makes the deliveries of events and queues their first attempts. A hook gets an event when it is
 * live, was there before the event, and its filter is empty or among the event's values. Run again after a crash
 * it makes nothing twice: a delivery is unique per event and hook, and its job is made with it.
 */
const STATEMENT = {
  name: 'fan-out',
  text: `
    with listed as (
      select id, workspace_id, key, filter_values, created_at from events where id = any ($1::uuid[])
    ), made as (
      insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
      select gen_random_uuid(), e.workspace_id, e.id, h.id, now()
      from listed e
      join hooks h on h.workspace_id = e.workspace_id and h.event = e.key
      where h.removed_at is null and h.created_at <= e.created_at
        and (h.filter_key is null or h.filter_key = any (e.filter_values))
      order by e.id
      on conflict (event_id, hook_id) do nothing
      returning id, hook_id
    ), queued as (
      select (graphile_worker.add_job(${DELIVER_TASK}, json_build_object('deliveryId', made.id, 'attempt', 1))).id
      from made join hooks h on h.id = made.hook_id
    )
    select workspace_id, array_agg(key) as keys, (select count(*) from queued)::int as made
    from listed group by workspace_id`,
};

/** What was fanned out: how many deliveries were made in all, and the keys of the events of each workspace. */
export type FannedOut = { made: number; events: { workspaceId: string; keys: EventKey[] }[] };

/** Fans events out to the hooks that listen for them. */
export async function fanOut(eventIds: string[]): Promise<FannedOut> {
  type Row = { workspace_id: string; keys: EventKey[]; made: number };
  const { rows } = await pool().query<Row>({ ...STATEMENT, values: [eventIds] });
  return {
    made: rows[0]?.made ?? 0,
    events: rows.map(({ workspace_id: workspaceId, keys }) => ({ workspaceId, keys })),
  };
}
