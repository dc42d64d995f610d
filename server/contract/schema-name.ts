import type { EventKey } from '#server/contract/event-catalogue.ts';

/** An event's key as part of the names of schemas: `conversation.status_changed` is `ConversationStatusChanged`. */
export function schemaName(key: EventKey): string {
  return key
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
