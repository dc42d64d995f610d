import { EVENTS, isEventKey } from '#server/contract/event-catalogue.ts';

/** An event's name for people; of a key that the catalogue does not know any more, the key. */
export function eventName(key: string): string {
  return isEventKey(key) ? EVENTS[key].name : key;
}
