import type { EventActor } from '#server/contract/event-actor.ts';
import { isEventKey } from '#server/contract/event-catalogue.ts';
import { exampleDelivery } from '#server/contract/event-examples.ts';
import { type LoggedEventRecord, loggedEventRecord } from '#server/contract/logged-event.ts';
import type { LoggedEventKey, ProgramEventPayloads } from '#server/contract/program-events.ts';
import {
  exampleContact,
  exampleConversation,
  exampleNote,
  exampleReply,
  exampleTeammate,
} from '#server/contract/record-examples.ts';

const conversation = exampleConversation;
const UPDATED_AT = conversation.updated_at;
const OTHER_ID = '01a4d7f6-2c3d-7e4f-8051-627384950617';
const FAILED = 'The mail server did not accept the message.';

const teammate: EventActor = { type: 'teammate', id: exampleTeammate.id, name: exampleTeammate.name };
const service: EventActor = { type: 'automation', id: null, name: null };
const contact: EventActor = { type: 'contact', id: exampleContact.id, name: exampleContact.name };

/** Timestamp and payload of each example, consistent with `record-examples.ts`. */
const EXAMPLES: {
  [Key in keyof ProgramEventPayloads]: { occurred_at: string; extra: ProgramEventPayloads[Key] };
} = {
  'conversation.unassigned': {
    occurred_at: UPDATED_AT,
    extra: { conversation: { ...conversation, assignee: null }, previous_assignee: exampleTeammate },
  },
  'conversation.tag_removed': {
    occurred_at: UPDATED_AT,
    extra: { conversation: { ...conversation, tags: [] }, removed_tags: conversation.tags },
  },
  'conversation.merged': {
    occurred_at: UPDATED_AT,
    extra: { conversation, merged_conversation_id: OTHER_ID },
  },
  'conversation.deleted': {
    occurred_at: UPDATED_AT,
    extra: { conversation_id: conversation.id, reason: 'spam' },
  },
  'reply.sent': { occurred_at: exampleReply.created_at, extra: { conversation, reply: exampleReply } },
  'reply.failed': {
    occurred_at: exampleReply.created_at,
    extra: { conversation, reply: { ...exampleReply, send_status: 'failed', delivery_error: FAILED } },
  },
  'note.added': { occurred_at: exampleNote.created_at, extra: { conversation, note: exampleNote } },
  'contact.updated': {
    occurred_at: UPDATED_AT,
    extra: { contact: exampleContact, changed_fields: ['phone'] },
  },
  'contact.merged': {
    occurred_at: UPDATED_AT,
    extra: { contact: exampleContact, merged_contact_id: OTHER_ID },
  },
};

/** Events of which the contact or the service is the actor. A teammate causes the others. */
const OTHER_ACTORS: { [Key in LoggedEventKey]?: EventActor } = {
  'conversation.created': contact,
  'conversation.rated': contact,
  'message.received': contact,
  'contact.created': contact,
  'reply.failed': service,
};

/** Returns an example of an event as programs get it, in the log and in webhooks. */
export function exampleLoggedEvent(key: LoggedEventKey): LoggedEventRecord {
  return loggedEventRecord({
    body: JSON.stringify(isEventKey(key) ? exampleDelivery(key) : deliveryOf(key)),
    actor: OTHER_ACTORS[key] ?? teammate,
    causeId: null,
  });
}

function deliveryOf(key: keyof ProgramEventPayloads) {
  const { occurred_at, extra } = EXAMPLES[key];
  return { id: '01a4d7f7-9394-7354-86a7-3b4c5d6e7f80', event: key, occurred_at, ...extra };
}
