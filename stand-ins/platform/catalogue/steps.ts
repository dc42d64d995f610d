import { CREATE_WHEN_MISSING, type Field, type Step } from './step-types.ts';
import { CONVERSATION_STATUSES } from './triggers.ts';

const text = { kind: 'text' } as const;
const conversationId: Field = {
  name: 'conversation_id',
  label: 'Conversation ID',
  required: true,
  input: { kind: 'record', of: 'conversation' },
};
const contactFields: readonly Field[] = [
  { name: 'name', label: 'Name', input: text },
  { name: 'email', label: 'E-mail', input: { kind: 'email' } },
  { name: 'phone', label: 'Phone', input: text },
  { name: 'city', label: 'City', input: text },
  { name: 'language', label: 'Language', hint: 'A code such as en or de', input: text },
];
const content: Field = { name: 'content', label: 'Content', required: true, input: { kind: 'long' } };
const keep = 'Leave as it is';

/** All actions and searches of the service, in the order of the page. */
export const STEPS: readonly Step[] = [
  {
    key: 'create-conversation',
    kind: 'action',
    name: 'Create Conversation',
    description: 'Emails a contact and opens a conversation with them.',
    method: 'POST',
    path: '/conversations',
    fields: [
      { name: 'to_email', label: 'To email', required: true, input: { kind: 'email' } },
      { name: 'to_name', label: 'To name', input: text },
      { name: 'subject', label: 'Subject', required: true, input: text },
      content,
    ],
  },
  {
    key: 'update-conversation',
    kind: 'action',
    name: 'Update Conversation',
    description: 'Changes status, priority, assignee or team.',
    method: 'PATCH',
    path: '/conversations/{conversation_id}',
    fields: [
      conversationId,
      {
        name: 'status',
        label: 'Status',
        input: { kind: 'select', options: CONVERSATION_STATUSES, whenEmpty: keep },
      },
      {
        name: 'priority',
        label: 'Priority',
        input: { kind: 'select', options: ['low', 'normal', 'high', 'urgent'], whenEmpty: keep },
      },
      {
        name: 'assignee_id',
        label: 'Assignee',
        input: { kind: 'choices', source: 'users', none: 'Unassigned', whenEmpty: keep },
      },
      {
        name: 'team_id',
        label: 'Team',
        input: { kind: 'choices', source: 'teams', none: 'No team', whenEmpty: keep },
      },
    ],
  },
  {
    key: 'send-reply',
    kind: 'action',
    name: 'Send Reply',
    description: 'Answers the contact on the conversation’s own channel.',
    method: 'POST',
    path: '/conversations/{conversation_id}/replies',
    fields: [conversationId, content],
  },
  {
    key: 'add-note',
    kind: 'action',
    name: 'Add Internal Note',
    description: 'Leaves a note for teammates. The contact never sees it.',
    method: 'POST',
    path: '/conversations/{conversation_id}/notes',
    fields: [conversationId, content],
  },
  {
    key: 'add-tags',
    kind: 'action',
    name: 'Add Tags to Conversation',
    description: 'Adds tags and keeps the existing ones.',
    method: 'POST',
    path: '/conversations/{conversation_id}/tags',
    fields: [
      conversationId,
      { name: 'tags', label: 'Tags', required: true, hint: 'Separated by commas', input: text },
    ],
  },
  {
    key: 'create-contact',
    kind: 'action',
    name: 'Create Contact',
    description: 'Adds a person with a name, an email or a phone number.',
    method: 'POST',
    path: '/contacts',
    fields: contactFields,
  },
  {
    key: 'update-contact',
    kind: 'action',
    name: 'Update Contact',
    description: 'Changes the fields you fill in and leaves the others.',
    method: 'PATCH',
    path: '/contacts/{contact_id}',
    fields: [
      { name: 'contact_id', label: 'Contact ID', required: true, input: { kind: 'record', of: 'contact' } },
      ...contactFields,
    ],
  },
  {
    key: 'find-contact',
    kind: 'search',
    name: 'Find Contact',
    description: 'Looks for people by email, by phone or by both.',
    method: 'GET',
    path: '/contacts/search',
    fields: [
      { name: 'email', label: 'E-mail', input: { kind: 'email' } },
      { name: 'phone', label: 'Phone', input: text },
      {
        name: CREATE_WHEN_MISSING,
        label: 'Create the contact when none is found',
        input: { kind: 'checkbox' },
      },
    ],
  },
  {
    key: 'find-conversation',
    kind: 'search',
    name: 'Find Conversation',
    description: 'Looks up one conversation, or the newest ones of a contact.',
    method: 'GET',
    path: '/conversations/search',
    fields: [
      { name: 'id', label: 'Conversation ID', input: { kind: 'record', of: 'conversation' } },
      { name: 'contact_email', label: 'Contact email', input: { kind: 'email' } },
      {
        name: 'status',
        label: 'Status',
        input: { kind: 'select', options: CONVERSATION_STATUSES, whenEmpty: 'Any status' },
      },
    ],
  },
];
