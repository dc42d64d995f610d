import { v7 as uuidv7 } from 'uuid';
import { EVENTS, type EventKey, type EventPayloads } from '#server/contract/events/catalogue.ts';
import { eventBody } from '#server/contract/events/event-body.ts';
import { type SampledEvent, sampleRows } from '#server/contract/events/sample-rows.ts';
import { afterCommit, type Tx } from '#server/ground/db.ts';
import { wakeWorkers } from '#server/ground/jobs/wake-workers.ts';

/** One thing that happened, with the payload as of this moment. */
export type NewEvent = {
  [Key in EventKey]: {
    key: Key;
    payload: EventPayloads[Key];
    /** Only `operator.command` brings its own: the id of the command run. */
    id?: string;
  } & (Key extends SampledEvent
    ? {
        /** The tagging, rating, message or command run itself. */
        subjectId: string;
      }
    : { subjectId?: never });
}[EventKey];

/**
 * Records events in the transaction of the change (the outbox), in the order given, and notes that they are to be
 * fanned out; the workers are woken after the commit. One round trip. In a workspace that nothing is connected to, no
 * event is recorded; what samples need is noted all the same. The body's bytes are fixed here (decisions: hooks,
 * events, 3 and 4).
 */
export async function recordEvents(
  tx: Tx,
  { workspaceId, events, now = new Date() }: { workspaceId: string; events: NewEvent[]; now?: Date },
): Promise<void> {
  if (events.length === 0) return;
  const judged = events.map((event) => ({ ...event, filterValues: filterValues(event) }));
  const rows = judged.map((event) => {
    const { key, payload, id = uuidv7() } = event;
    const body = JSON.stringify(eventBody({ id, key, occurredAt: now, payload }));
    return { id, key, body, filter_values: event.filterValues };
  });
  const [{ recorded } = { recorded: 0 }] = await tx.$queryRaw<{ recorded: number }[]>`
    with recorded as (
      insert into events (id, workspace_id, key, body, filter_values)
      select e.id, ${workspaceId}::uuid, e.key, e.body, e.filter_values
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e (id uuid, key text, body text, filter_values text[])
      where exists (
        select from connections c where c.workspace_id = ${workspaceId}::uuid and c.ended_at is null
      )
      returning id
    ), listed as (
      insert into events_to_fan_out (event_id) select id from recorded
    ), sampled as (
      insert into samples (conversation_id, workspace_id, event, filter, subject_id, occurred_at)
      select s.conversation_id, ${workspaceId}::uuid, s.event, s.filter, s.subject_id, ${now}
      from jsonb_to_recordset(${JSON.stringify(sampleRows(judged))}::jsonb)
        as s (conversation_id uuid, event text, filter text, subject_id uuid)
      on conflict (conversation_id, event, filter) do update
      set subject_id = excluded.subject_id, occurred_at = excluded.occurred_at
      where samples.occurred_at <= excluded.occurred_at
    )
    select count(*)::int as recorded from recorded`;
  if (recorded > 0) afterCommit(tx, wakeWorkers);
}

/** What a hook's filter is compared with, as the event's entry in the catalogue says. */
function filterValues<Key extends EventKey>(event: { key: Key; payload: EventPayloads[Key] }): string[] {
  return EVENTS[event.key].filterValues(event.payload);
}
