import { v7 as uuidv7 } from 'uuid';
import { EVENTS, type EventKey, type EventPayloads } from '#server/contract/event-catalogue.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { statementOf } from '#server/core/database/parts.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { wakeWorkers } from '#server/core/jobs/wake-workers.ts';
import { timestamp } from '#server/core/timestamp.ts';
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
  tx: SqlDb,
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
 * Returns the parts of the statement of `recordEvents`, for a larger one.
 * @param given.events at least one
 */
export function eventParts({
  workspaceId,
  events,
  now = new Date(),
}: {
  workspaceId: string;
  events: NewEvent[];
  now?: Date;
}) {
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
      )
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
      on conflict (conversation_id, event, filter) do update
      set subject_id = excluded.subject_id, occurred_at = excluded.occurred_at
      where samples.occurred_at <= excluded.occurred_at`,
  };
}

/** What a hook's filter is compared with, as the event's entry in the catalogue says. */
function filterValues<Key extends EventKey>(event: { key: Key; payload: EventPayloads[Key] }): string[] {
  return EVENTS[event.key].filterValues(event.payload);
}

/** The body of an event, or of any of several: the envelope, then what the event carries besides (spec.md §6). */
export type EventBody<Keys extends EventKey = EventKey> = {
  [Key in Keys]: { id: string; event: Key; occurred_at: string } & EventPayloads[Key];
}[Keys];

/** Puts an event into its envelope, for deliveries and samples alike, so that both have the same keys. */
export function eventBody<Key extends EventKey>(event: {
  id: string;
  key: Key;
  occurredAt: Date;
  payload: EventPayloads[Key];
}): EventBody<Key> {
  return {
    id: event.id,
    event: event.key,
    occurred_at: timestamp(event.occurredAt),
    ...event.payload,
  };
}

/** The events whose samples are found through `samples`: what they show is no column of the conversation. */
export type SampledEvent =
  | 'conversation.tagged'
  | 'conversation.rated'
  | 'message.received'
  | 'operator.command';

type HappenedEvent = {
  key: EventKey;
  payload: EventPayloads[EventKey];
  /** What a filter may ask for. */
  filterValues: string[];
  /** The tagging, rating, message or command run itself. */
  subjectId?: string;
};

/** A row of `samples` as SQL takes it, without what is the same for all. */
type SampleRow = { conversation_id: string; event: EventKey; filter: string; subject_id: string };

/**
 * Where samples will find what happened: without a filter, and under each value that a filter may ask for. Of two
 * events with one place the later stays, as one statement can write a row only once. In the order of their keys,
 * so that two transactions that write the same rows wait for each other instead of deadlocking.
 */
export function sampleRows(events: HappenedEvent[]): SampleRow[] {
  const rows = events.flatMap(({ key, payload, filterValues, subjectId }) => {
    if (subjectId === undefined || !('conversation' in payload)) return [];
    const conversationId = payload.conversation.id;
    return ['', ...filterValues].map((filter): [string, SampleRow] => [
      `${conversationId} ${key} ${filter}`,
      { conversation_id: conversationId, event: key, filter, subject_id: subjectId },
    ]);
  });
  return [...new Map(rows)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
