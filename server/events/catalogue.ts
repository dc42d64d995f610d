import type { ContactRecord } from '#server/contacts/contact-record.ts';
import type { ConversationRecord } from '#server/conversations/conversation-record.ts';
import type { Teammate } from '#server/teammates/actor.ts';

/** The Message of `message.received` (spec.md §2). */
export type MessageRecord = { id: string; content: string; created_at: string; attachments_count: number };

/** What each event carries besides `id`, `event` and `occurred_at` (spec.md §6). */
export type EventPayloads = {
  'conversation.created': { conversation: ConversationRecord };
  'conversation.status_changed': { conversation: ConversationRecord; previous_status: string | null };
  'conversation.assigned': { conversation: ConversationRecord; previous_assignee: Teammate | null };
  'conversation.tagged': { conversation: ConversationRecord; added_tags: string[] };
  'conversation.rated': {
    conversation: ConversationRecord;
    rating: { score: number; comment: string | null };
  };
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

/** The eight events, by key: the trigger's name, when it happens, and its filter. */
export const EVENTS: Record<EventKey, { name: string; description: string; filter: EventFilter | null }> = {
  'conversation.created': {
    name: 'New Conversation',
    description: 'A conversation is created on any channel, by a contact, a teammate or a workflow.',
    filter: null,
  },
  'conversation.status_changed': {
    name: 'Conversation Status Changed',
    description: 'The status of a conversation changes, whoever or whatever changes it.',
    filter: 'status',
  },
  'conversation.assigned': {
    name: 'Conversation Assigned',
    description: 'A conversation is assigned to a teammate, also anew. Unassigning does not count.',
    filter: null,
  },
  'conversation.tagged': {
    name: 'Conversation Tagged',
    description: 'Tags are added to a conversation that it did not have.',
    filter: 'tag',
  },
  'conversation.rated': {
    name: 'New Satisfaction Rating',
    description: 'A contact rates a conversation in the satisfaction survey.',
    filter: null,
  },
  'message.received': {
    name: 'New Customer Message',
    description: 'A contact writes on any channel, in a new or an existing conversation.',
    filter: null,
  },
  'contact.created': {
    name: 'New Contact',
    description: 'A contact is created by a message from someone new, a teammate or a workflow.',
    filter: null,
  },
  'operator.command': {
    name: 'Workflow Command',
    description: 'A teammate runs a workflow command in a conversation.',
    filter: 'command',
  },
};

/** Every event key, in the order of the specification. */
export const EVENT_KEYS = Object.keys(EVENTS) as [EventKey, ...EventKey[]];

/** Whether a text is the key of an event. */
export function isEventKey(text: string): text is EventKey {
  return Object.hasOwn(EVENTS, text);
}
