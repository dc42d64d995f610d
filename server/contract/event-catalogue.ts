import type {
  ContactRecord,
  ConversationRecord,
  MessageRecord,
  RatingRecord,
  Teammate,
} from '#server/contract/record-schemas.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';

/**
 * Payloads of the events, without `id`, `event` and `occurred_at` (docs/spec.md §6). A new key compiles only
 * with its entry in `EVENTS` below, its schema in `event-schemas.ts`, its example in `event-examples.ts` and
 * its query in `samples/list-samples.ts`.
 */
export type EventPayloads = {
  'conversation.created': { conversation: ConversationRecord };
  'conversation.status_changed': {
    conversation: ConversationRecord;
    previous_status: ConversationStatus | null;
  };
  'conversation.assigned': { conversation: ConversationRecord; previous_assignee: Teammate | null };
  'conversation.tagged': { conversation: ConversationRecord; added_tags: string[] };
  'conversation.rated': { conversation: ConversationRecord; rating: RatingRecord };
  'message.received': { conversation: ConversationRecord; message: MessageRecord };
  'contact.created': { contact: ContactRecord };
  'operator.command': {
    conversation: ConversationRecord;
    command: string;
    arguments: string;
    operator: Teammate;
  };
};

export type EventKey = keyof EventPayloads;

/** The hook filter of an event, if any (docs/spec.md §4.2, POST /hooks). */
export type EventFilter = 'status' | 'tag' | 'command';

/** The trigger's name and description, its filter, and the values to compare that filter with. */
type EventEntry<Key extends EventKey> = {
  name: string;
  description: string;
  filter: EventFilter | null;
  filterValues: (payload: EventPayloads[Key]) => string[];
};

const UNFILTERED = { filter: null, filterValues: () => [] };

export const EVENTS: { [Key in EventKey]: EventEntry<Key> } = {
  'conversation.created': {
    name: 'New Conversation',
    description: 'A conversation is created on any channel, by a contact, a teammate or a workflow.',
    ...UNFILTERED,
  },
  'conversation.status_changed': {
    name: 'Conversation Status Changed',
    description: 'The status of a conversation changes, by a person or automatically.',
    filter: 'status',
    filterValues: ({ conversation }) => [conversation.status],
  },
  'conversation.assigned': {
    name: 'Conversation Assigned',
    description: 'A conversation is assigned or reassigned to a teammate. Unassigning does not count.',
    ...UNFILTERED,
  },
  'conversation.tagged': {
    name: 'Conversation Tagged',
    description: 'Tags that a conversation did not have are added to it.',
    filter: 'tag',
    filterValues: ({ added_tags }) => added_tags.map(tagKey),
  },
  'conversation.rated': {
    name: 'New Satisfaction Rating',
    description: 'A contact rates a conversation in the satisfaction survey.',
    ...UNFILTERED,
  },
  'message.received': {
    name: 'New Customer Message',
    description: 'A contact writes on any channel, in a new or an existing conversation.',
    ...UNFILTERED,
  },
  'contact.created': {
    name: 'New Contact',
    description: 'A contact is created by a message from someone new, a teammate or a workflow.',
    ...UNFILTERED,
  },
  'operator.command': {
    name: 'Workflow Command',
    description: 'A teammate runs a workflow command in a conversation.',
    filter: 'command',
    filterValues: ({ command }) => [command],
  },
};

/** Every event key, in the order of the specification. */
export const EVENT_KEYS = Object.keys(EVENTS) as [EventKey, ...EventKey[]];

export function isEventKey(text: string): text is EventKey {
  return Object.hasOwn(EVENTS, text);
}

/** Returns an event's display name, or the key if it is no longer in the catalogue. */
export function eventName(key: string): string {
  return isEventKey(key) ? EVENTS[key].name : key;
}

/**
 * Returns an event's key as part of schema names: `conversation.status_changed` becomes
 * `ConversationStatusChanged`.
 */
export function schemaName(key: EventKey): string {
  return key
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
