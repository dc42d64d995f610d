import type { EventKey, EventPayloads } from '#server/contract/event-catalogue.ts';
import { timestamp } from '#server/core/timestamp.ts';

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
