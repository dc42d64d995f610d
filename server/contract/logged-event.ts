import type { EventActor } from '#server/contract/event-actor.ts';
import type { LoggedEventKey } from '#server/contract/program-events.ts';

/** An event as it was recorded. */
export type RecordedEvent = {
  /** The body that the platform's hooks get, as JSON (`EventBody`). */
  body: string;
  actor: EventActor;
  /** The connection or API token that caused it. */
  causeId: string | null;
};

export type LoggedEventRecord = {
  id: string;
  type: LoggedEventKey;
  timestamp: string;
  actor: EventActor;
  caused_by: { type: 'connection' | 'token'; id: string } | null;
  data: Record<string, unknown>;
};

/** Serializes an event for programs, in the log and in webhooks. */
export function loggedEventRecord({ body, actor, causeId }: RecordedEvent): LoggedEventRecord {
  const { id, event, occurred_at, ...data } = JSON.parse(body) as {
    id: string;
    event: LoggedEventKey;
    occurred_at: string;
  };
  return {
    id,
    type: event,
    timestamp: occurred_at,
    // Not every way to read it keeps the order of its keys, and the bytes are signed.
    actor: { type: actor.type, id: actor.id, name: actor.name },
    caused_by:
      causeId === null ? null : { type: actor.type === 'program' ? 'token' : 'connection', id: causeId },
    data,
  };
}
