import type { PlainOutputField } from 'zapier-platform-core';

/** A field of a record of the API, as Zapier offers it to later steps. */
type Field = readonly [key: string, label: string, type?: 'integer' | 'datetime' | 'list'];

const TEAMMATE: readonly Field[] = [
  ['id', 'ID'],
  ['name', 'Name'],
  ['email', 'Email'],
];
const CONTACT: readonly Field[] = [
  ['id', 'ID'],
  ['name', 'Name'],
  ['first_name', 'First Name'],
  ['last_name', 'Last Name'],
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['city', 'City'],
  ['language', 'Language'],
  ['company__id', 'Company ID'],
  ['company__name', 'Company Name'],
  ['created_at', 'Created At', 'datetime'],
  ['url', 'URL'],
];
const CONVERSATION: readonly Field[] = [
  ['id', 'ID'],
  ['subject', 'Subject'],
  ['status', 'Status'],
  ['priority', 'Priority'],
  ['channel', 'Channel'],
  ['tags', 'Tags', 'list'],
  ...nested('assignee', 'Assignee', TEAMMATE),
  ['team__id', 'Team ID'],
  ['team__name', 'Team Name'],
  ...nested('contact', 'Contact', CONTACT),
  ['created_at', 'Created At', 'datetime'],
  ['updated_at', 'Updated At', 'datetime'],
  ['resolved_at', 'Resolved At', 'datetime'],
  ['url', 'URL'],
];
const MESSAGE: readonly Field[] = [
  ['id', 'ID'],
  ['content', 'Content'],
  ['created_at', 'Created At', 'datetime'],
  ['attachments_count', 'Attachments Count', 'integer'],
];
const REPLY: readonly Field[] = [
  ['id', 'ID'],
  ['conversation_id', 'Conversation ID'],
  ['content', 'Content'],
  ['created_at', 'Created At', 'datetime'],
  ['send_status', 'Send Status'],
  ['delivery_error', 'Delivery Error'],
  ['url', 'URL'],
];
const ENVELOPE: readonly Field[] = [
  ['id', 'Event ID'],
  ['event', 'Event'],
  ['occurred_at', 'Occurred At', 'datetime'],
];

export const contactFields = outputFields(CONTACT);
export const conversationFields = outputFields(CONVERSATION);
export const replyFields = outputFields(REPLY);
export const noteFields = outputFields(
  REPLY.filter(([key]) => key !== 'send_status' && key !== 'delivery_error'),
);
export const choiceFields = outputFields([
  ['id', 'ID'],
  ['name', 'Name'],
]);

const ofConversation = nested('conversation', 'Conversation', CONVERSATION);

/** Output fields by event. */
export const eventFields = {
  'conversation.created': outputFields([...ENVELOPE, ...ofConversation]),
  'conversation.status_changed': outputFields([
    ...ENVELOPE,
    ...ofConversation,
    ['previous_status', 'Previous Status'],
  ]),
  'conversation.assigned': outputFields([
    ...ENVELOPE,
    ...ofConversation,
    ...nested('previous_assignee', 'Previous Assignee', TEAMMATE),
  ]),
  'conversation.tagged': outputFields([...ENVELOPE, ...ofConversation, ['added_tags', 'Added Tags', 'list']]),
  'conversation.rated': outputFields([
    ...ENVELOPE,
    ...ofConversation,
    ['rating__score', 'Rating Score', 'integer'],
    ['rating__comment', 'Rating Comment'],
  ]),
  'message.received': outputFields([
    ...ENVELOPE,
    ...ofConversation,
    ...nested('message', 'Message', MESSAGE),
  ]),
  'contact.created': outputFields([...ENVELOPE, ...nested('contact', 'Contact', CONTACT)]),
  'operator.command': outputFields([
    ...ENVELOPE,
    ...ofConversation,
    ['command', 'Command'],
    ['arguments', 'Arguments'],
    ...nested('operator', 'Teammate', TEAMMATE),
  ]),
} satisfies Record<string, PlainOutputField[]>;

export type EventKey = keyof typeof eventFields;

/** Returns the fields of a nested record with Zapier's keys, for example `contact__email`. */
function nested(key: string, label: string, fields: readonly Field[]): Field[] {
  return fields.map(([name, title, type]) => {
    const field = [`${key}__${name}`, `${label} ${title}`] as const;
    return type ? [...field, type] : field;
  });
}

function outputFields(fields: readonly Field[]): PlainOutputField[] {
  return fields.map(([key, label, type]) =>
    type === 'list'
      ? { key, label, type: 'string', list: true }
      : { key, label, type: type ?? 'string', ...(key === 'id' ? { primary: true } : {}) },
  );
}
