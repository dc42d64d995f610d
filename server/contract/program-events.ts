import { EVENT_KEYS, type EventKey, type EventPayloads } from '#server/contract/event-catalogue.ts';
import type {
  ContactRecord,
  ConversationRecord,
  NoteRecord,
  ReplyRecord,
  Teammate,
} from '#server/contract/record-schemas.ts';

/**
 * Payloads of the events that only programs get, through the event log and webhooks. The hooks of the platform know
 * exactly the events of `EventPayloads` (docs/spec.md §6).
 */
export type ProgramEventPayloads = {
  'conversation.unassigned': { conversation: ConversationRecord; previous_assignee: Teammate };
  'conversation.tag_removed': { conversation: ConversationRecord; removed_tags: string[] };
  'conversation.merged': { conversation: ConversationRecord; merged_conversation_id: string };
  'conversation.deleted': { conversation_id: string; reason: 'deleted' | 'spam' };
  'reply.sent': { conversation: ConversationRecord; reply: ReplyRecord };
  'reply.failed': { conversation: ConversationRecord; reply: ReplyRecord };
  'note.added': { conversation: ConversationRecord; note: NoteRecord };
  'contact.updated': { contact: ContactRecord; changed_fields: string[] };
  'contact.merged': { contact: ContactRecord; merged_contact_id: string };
};

type ProgramEventKey = keyof ProgramEventPayloads;

/** Payloads of all events that the log records. */
export type LoggedEventPayloads = EventPayloads & ProgramEventPayloads;

export type LoggedEventKey = EventKey | ProgramEventKey;

/** Descriptions of the events that only programs get. */
export const PROGRAM_EVENTS: { [Key in ProgramEventKey]: string } = {
  'conversation.unassigned': 'A conversation loses its assignee and has none now.',
  'conversation.tag_removed': 'Tags are removed from a conversation.',
  'conversation.merged': 'Another conversation is merged into a conversation.',
  'conversation.deleted':
    'A conversation is deleted or marked as spam. Calls about it get `404`, and it has no further events unless it is restored.',
  'reply.sent': 'A reply is sent to the contact, by anyone and on any channel.',
  'reply.failed':
    'A reply could not be delivered. A mail server may report this hours after `reply.sent`. The cause is the service, so ' +
    'a program also learns about its own replies.',
  'note.added': 'An internal note is added to a conversation.',
  'contact.updated':
    'Fields of a contact change. A change to its company itself, such as a new name, does not count.',
  'contact.merged': 'Another contact is merged into a contact.',
};

/** In the list of a webhook endpoint: every event, also those that later versions add. */
export const ALL_EVENTS = '*';

/** Every key of the log, those of the specification first. */
export const LOGGED_EVENT_KEYS = [...EVENT_KEYS, ...Object.keys(PROGRAM_EVENTS)] as [
  LoggedEventKey,
  ...LoggedEventKey[],
];
