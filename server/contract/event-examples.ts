import type { EventKey, EventPayloads } from '#server/contract/event-catalogue.ts';
import {
  exampleContact,
  exampleConversation,
  exampleMessage,
  exampleRating,
  exampleTeammate,
} from '#server/contract/record-examples.ts';

const conversation = exampleConversation;
const RESOLVED_AT = '2026-11-21T09:12:47.316+00:00';
const solved = {
  ...conversation,
  status: 'solved',
  updated_at: RESOLVED_AT,
  resolved_at: RESOLVED_AT,
} as const;

/** Timestamp and payload of each example, consistent with `record-examples.ts`. */
const EXAMPLES: { [Key in EventKey]: { occurred_at: string; extra: EventPayloads[Key] } } = {
  'conversation.created': {
    occurred_at: conversation.created_at,
    extra: {
      conversation: { ...conversation, tags: [], assignee: null, updated_at: conversation.created_at },
    },
  },
  'conversation.status_changed': {
    occurred_at: RESOLVED_AT,
    extra: { conversation: solved, previous_status: 'open' },
  },
  'conversation.assigned': {
    occurred_at: conversation.updated_at,
    extra: { conversation, previous_assignee: null },
  },
  'conversation.tagged': {
    occurred_at: conversation.updated_at,
    extra: { conversation, added_tags: ['shipping'] },
  },
  'conversation.rated': {
    occurred_at: '2026-11-21T10:03:05.602+00:00',
    extra: { conversation: solved, rating: exampleRating },
  },
  'message.received': {
    occurred_at: exampleMessage.created_at,
    extra: { conversation, message: exampleMessage },
  },
  'contact.created': { occurred_at: exampleContact.created_at, extra: { contact: exampleContact } },
  'operator.command': {
    occurred_at: '2026-11-21T07:15:30.044+00:00',
    extra: {
      conversation,
      command: 'refund',
      arguments: 'order 1042, shipping only',
      operator: exampleTeammate,
    },
  },
};

const EVENT_ID = '01a4d7f5-8172-7243-9596-2a3b4c5d6e7f';

/** Returns an example of an event in the format of a delivery. */
export function exampleDelivery(key: EventKey) {
  const { occurred_at, extra } = EXAMPLES[key];
  return { id: EVENT_ID, event: key, occurred_at, ...extra };
}

/** Returns the same event as a sample: with the record's id, and without previous values. */
export function exampleSample(key: EventKey) {
  const { occurred_at, extra } = EXAMPLES[key];
  const record = 'contact' in extra ? extra.contact : extra.conversation;
  return {
    ...exampleDelivery(key),
    id: `${key}:${record.id}`,
    occurred_at,
    ...('previous_status' in extra ? { previous_status: null } : {}),
    ...('previous_assignee' in extra ? { previous_assignee: null } : {}),
  };
}
