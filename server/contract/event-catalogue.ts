import type {
  ContactRecord,
  ConversationRecord,
  MessageRecord,
  RatingRecord,
  Teammate,
} from '#server/contract/record-schemas.ts';
import { tagKey } from '#server/contract/tag-list.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';

/**
 * The events, and what each carries besides `id`, `event` and `occurred_at` (spec.md §6). A key added here does not
 * compile until the event is whole: with its entry in `EVENTS` below, its schema in `event-schemas.ts`, its example in
 * `event-examples.ts` and the query of its samples in `samples/list-samples.ts`.
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

/** The hook filter that belongs to an event, if any (spec.md §4.2, POST /hooks). */
export type EventFilter = 'status' | 'tag' | 'command';

/** The trigger's name, when it happens, the filter that belongs to it, and what that filter is compared with. */
type EventEntry<Key extends EventKey> = {
  name: string;
  description: string;
  filter: EventFilter | null;
  filterValues: (payload: EventPayloads[Key]) => string[];
};

const UNFILTERED = { filter: null, filterValues: () => [] };

/** The eight events, by key. */
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

/** Whether a text is the key of an event. */
export function isEventKey(text: string): text is EventKey {
  return Object.hasOwn(EVENTS, text);
}

/** An event's name for people; of a key that the catalogue does not know any more, the key. */
export function eventName(key: string): string {
  return isEventKey(key) ? EVENTS[key].name : key;
}

/** An event's key as part of the names of schemas: `conversation.status_changed` is `ConversationStatusChanged`. */
export function schemaName(key: EventKey): string {
  return key
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
