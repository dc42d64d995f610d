import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '#server/db.ts';
import type { EventKey, EventPayloads } from '#server/events/catalogue.ts';
import { timestamp } from '#server/timestamp.ts';

/** One thing that happened, with the payload as of this moment. */
export type NewEvent = {
  [Key in EventKey]: {
    key: Key;
    payload: EventPayloads[Key];
    /** What a hook's filter is compared with; see `events.filter_values`. */
    filterValues?: string[];
    /** Only `operator.command` brings its own: the id of the command run. */
    id?: string;
  };
}[EventKey];

/**
 * Records events in the transaction of the change (the outbox), in the order given, and queues their fan-out
 * with them: event and job exist exactly when the change does. One round trip. In a workspace that nothing is
 * connected to, nothing is recorded. The body's bytes are fixed here (decisions: hooks, events, 3 and 4).
 */
export async function recordEvents(
  tx: Tx,
  { workspaceId, events, now = new Date() }: { workspaceId: string; events: NewEvent[]; now?: Date },
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => {
    const id = event.id ?? uuidv7();
    return {
      id,
      key: event.key,
      body: JSON.stringify({ id, event: event.key, occurred_at: timestamp(now), ...event.payload }),
      filter_values: event.filterValues ?? [],
    };
  });
  await tx.$executeRaw`
    with recorded as (
      insert into events (id, workspace_id, key, body, filter_values)
      select e.id, ${workspaceId}::uuid, e.key, e.body, e.filter_values
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e (id uuid, key text, body text, filter_values text[])
      where exists (
        select from connections c where c.workspace_id = ${workspaceId}::uuid and c.ended_at is null
      )
      returning id
    ), noted as (
      select json_agg(id order by id) as ids from recorded
    )
    select (graphile_worker.add_job('fan-out', json_build_object('eventIds', ids))).id
    from noted where ids is not null`;
}
