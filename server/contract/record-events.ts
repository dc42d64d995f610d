import { v7 as uuidv7 } from 'uuid';
import { eventBody } from '#server/contract/event-body.ts';
import { EVENTS, type EventKey, type EventPayloads } from '#server/contract/event-catalogue.ts';
import { type SampledEvent, sampleRows } from '#server/contract/sample-rows.ts';
import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { ALWAYS, statementOf } from '#server/core/database/statement-parts.ts';
import { wakeWorkers } from '#server/core/jobs/wake-workers.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

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
  given: { workspaceId: string; events: NewEvent[]; now?: Date },
): Promise<void> {
  if (given.events.length === 0) return;
  const [{ recorded } = { recorded: 0 }] = await tx.$queryRaw<{ recorded: number }[]>(
    statementOf(eventParts(given), Prisma.sql`select ${RECORDED} as recorded`),
  );
  if (recorded > 0) afterCommit(tx, wakeWorkers);
}

/** How many of the events of `eventParts` were recorded: when there are some, `wakeWorkers` comes after the commit. */
export const RECORDED = Prisma.sql`(select count(*)::int from recorded)`;

/**
 * The same as parts of a larger statement.
 * @param given.events at least one
 * @param when what must hold for them to be recorded
 */
export function eventParts(
  { workspaceId, events, now = new Date() }: { workspaceId: string; events: NewEvent[]; now?: Date },
  when: Prisma.Sql = ALWAYS,
) {
  const judged = events.map((event) => ({ ...event, filterValues: filterValues(event) }));
  const rows = judged.map((event) => {
    const { key, payload, id = uuidv7() } = event;
    const body = JSON.stringify(eventBody({ id, key, occurredAt: now, payload }));
    return { id, key, body, filter_values: event.filterValues };
  });
  const samples = sampleRows(judged);
  return {
    recorded: Prisma.sql`
      insert into events (id, workspace_id, key, body, filter_values)
      select e.id, ${workspaceId}::uuid, e.key, e.body, e.filter_values
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e (id uuid, key text, body text, filter_values text[])
      where exists (
        select from connections c where c.workspace_id = ${workspaceId}::uuid and c.ended_at is null
      ) and ${when}
      returning id`,
    listed: Prisma.sql`insert into events_to_fan_out (event_id) select id from recorded`,
    sampled:
      samples.length === 0
        ? null
        : Prisma.sql`
      insert into samples (conversation_id, workspace_id, event, filter, subject_id, occurred_at)
      select s.conversation_id, ${workspaceId}::uuid, s.event, s.filter, s.subject_id, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(samples)}::jsonb)
        as s (conversation_id uuid, event text, filter text, subject_id uuid)
      where ${when}
      on conflict (conversation_id, event, filter) do update
      set subject_id = excluded.subject_id, occurred_at = excluded.occurred_at
      where samples.occurred_at <= excluded.occurred_at`,
  };
}

/** What a hook's filter is compared with, as the event's entry in the catalogue says. */
function filterValues<Key extends EventKey>(event: { key: Key; payload: EventPayloads[Key] }): string[] {
  return EVENTS[event.key].filterValues(event.payload);
}
