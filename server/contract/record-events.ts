import { v7 as uuidv7 } from 'uuid';
import type { EventCause } from '#server/contract/event-actor.ts';
import {
  EVENT_KEYS,
  EVENTS,
  type EventKey,
  type EventPayloads,
  isEventKey,
} from '#server/contract/event-catalogue.ts';
import {
  ALL_EVENTS,
  type LoggedEventKey,
  type LoggedEventPayloads,
} from '#server/contract/program-events.ts';
import { type Planned, writePlanned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { wakeForEvents } from '#server/core/jobs/wake-workers.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { traced, traceParent } from '#server/core/tracing/tracing.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** An event to record, with its current payload. */
export type NewEvent = {
  [Key in LoggedEventKey]: {
    key: Key;
    payload: LoggedEventPayloads[Key];
    /** Set only for `operator.command`: the id of the command run. */
    id?: string;
  } & (Key extends SampledEvent
    ? {
        /** Id of the tagging, rating, message or command run. */
        subjectId: string;
      }
    : { subjectId?: never });
}[LoggedEventKey];

type NewEvents = { workspaceId: string; events: NewEvent[]; cause: EventCause; now?: Date };

/**
 * Records events in the transaction of the change (outbox), in the given order, and queues them for the
 * fan-out, in one round trip. Wakes the workers after the commit. Without an active connection, API token or webhook endpoint no
 * event is recorded, but the rows for samples are. Events that only programs get need a token or an endpoint. Fixes the bytes of the body (docs/rulings.md 5.3 and 5.4).
 */
export async function recordEvents(tx: SqlDb, recording: NewEvents): Promise<void> {
  await writePlanned(tx, planEvents(recording, undefined));
}

/** Plans the recording of events by a change with this result. Its part `listed` returns no row when no worker needs to know. */
export function planEvents<T>(recording: NewEvents, result: T): Planned<T> {
  return {
    result,
    parts: recording.events.length > 0 ? eventParts(recording) : {},
    after: [{ ifRows: 'listed', work: wakeForEvents }],
  };
}

function eventParts({ workspaceId, events, cause, now = new Date() }: NewEvents): Planned<unknown>['parts'] {
  const judged = events.map((event) => ({ ...event, filterValues: filterValues(event) }));
  const rows = judged.map((event) => {
    const { key, payload, id = uuidv7() } = event;
    const body = JSON.stringify(eventBody({ id, key, occurredAt: now, payload }));
    const conversation_id = 'conversation' in payload ? payload.conversation.id : null;
    const for_hooks = isEventKey(key);
    const trace_parent = traced(
      `event ${key}`,
      { kind: 'producer', attributes: { 'inbox.event.id': id } },
      traceParent,
    );
    return { id, key, body, filter_values: event.filterValues, conversation_id, for_hooks, trace_parent };
  });
  const samples = sampleRows(judged);
  return {
    recorded: Prisma.sql`
      insert into events (id, workspace_id, key, body, filter_values, conversation_id, trace_parent, actor, cause_id)
      select e.id, ${workspaceId}::uuid, e.key, e.body, e.filter_values, e.conversation_id, e.trace_parent,
        ${JSON.stringify(cause.actor)}::json, ${cause.causeId ?? null}::uuid
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e (id uuid, key text, body text, filter_values text[], conversation_id uuid, for_hooks boolean, trace_parent text)
      where (e.for_hooks and exists (
        select from connections c where c.workspace_id = ${workspaceId}::uuid and c.ended_at is null
      )) or ${programListens(workspaceId)}
      returning id, key`,
    listed: Prisma.sql`
      insert into events_to_fan_out (event_id)
      select id from recorded r where r.key = any (${EVENT_KEYS}::text[]) or exists (
        select from hooks h
        where h.workspace_id = ${workspaceId}::uuid and h.connection_id is null and h.removed_at is null
          and h.events && array[r.key, ${ALL_EVENTS}])
      returning event_id`,
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

/**
 * Condition: a program gets the events of the workspace, as an API token works or there is a webhook endpoint. One that is paused
 * gets them when it is replayed.
 */
export function programListens(workspaceId: string): Prisma.Sql {
  return Prisma.sql`(exists (
    select from api_tokens t where t.workspace_id = ${workspaceId}::uuid
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
  ) or exists (
    select from webhook_endpoints w where w.workspace_id = ${workspaceId}::uuid))`;
}

function filterValues({ key, payload }: { key: LoggedEventKey; payload: object }): string[] {
  if (!isEventKey(key)) return [];
  const { filterValues } = EVENTS[key] as { filterValues: (payload: object) => string[] };
  return filterValues(payload);
}

/** Body of an event: the envelope, then the event's payload (docs/spec.md §6). */
export type EventBody<Keys extends EventKey = EventKey> = {
  [Key in Keys]: { id: string; event: Key; occurred_at: string } & EventPayloads[Key];
}[Keys];

/** Builds the body of an event, for both deliveries and samples, so that they have the same keys. */
export function eventBody<Key extends string, Payload extends object>(event: {
  id: string;
  key: Key;
  occurredAt: Date;
  payload: Payload;
}): { id: string; event: Key; occurred_at: string } & Payload {
  return {
    id: event.id,
    event: event.key,
    occurred_at: timestamp(event.occurredAt),
    ...event.payload,
  };
}

/** Events whose samples need rows in `samples`, because their values are not columns of the conversation. */
export type SampledEvent =
  | 'conversation.tagged'
  | 'conversation.rated'
  | 'message.received'
  | 'operator.command';

type EventToSample = {
  key: LoggedEventKey;
  payload: LoggedEventPayloads[LoggedEventKey];
  /** Values to compare filters with. */
  filterValues: string[];
  subjectId?: string;
};

/** A row of `samples`, without the columns that are the same for all rows. */
type SampleRow = { conversation_id: string; event: LoggedEventKey; filter: string; subject_id: string };

/**
 * Returns the rows for samples: one without a filter, and one for each filter value. If two events have the
 * same row, the later one remains, as one statement can write a row only once. Rows are sorted by key, so that
 * concurrent transactions wait for each other instead of deadlocking.
 */
export function sampleRows(events: EventToSample[]): SampleRow[] {
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
