import type { PlainInputField } from 'zapier-platform-core';

const STATUSES = { open: 'Open', pending: 'Pending', solved: 'Solved', closed: 'Closed' };
const PRIORITIES = { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' };

export const status = (helpText: string): PlainInputField => ({
  key: 'status',
  label: 'Status',
  choices: STATUSES,
  helpText,
});

export const priority: PlainInputField = {
  key: 'priority',
  label: 'Priority',
  choices: PRIORITIES,
  helpText: 'Leave it empty to keep the priority.',
};

export const conversation: PlainInputField = {
  key: 'conversation_id',
  label: 'Conversation',
  type: 'string',
  required: true,
  dynamic: 'recent_conversations.id.name',
  search: 'find_conversation.id',
  helpText:
    'The list shows conversations with recent events. Map the conversation of an earlier step, or add a search step.',
};

export const contact: PlainInputField = {
  key: 'contact_id',
  label: 'Contact',
  type: 'string',
  required: true,
  dynamic: 'recent_contacts.id.name',
  search: 'find_contact.id',
  helpText:
    'The list shows contacts with recent events. Map the contact of an earlier step, or add a search step.',
};

export const assignee: PlainInputField = {
  key: 'assignee_id',
  label: 'Assignee',
  type: 'string',
  dynamic: 'teammates.id.name',
  helpText: 'Leave it empty to keep the assignee.',
};

export const team: PlainInputField = {
  key: 'team_id',
  label: 'Team',
  type: 'string',
  dynamic: 'teams.id.name',
  helpText: 'Leave it empty to keep the team.',
};

export const content = (helpText: string): PlainInputField => ({
  key: 'content',
  label: 'Content',
  type: 'text',
  required: true,
  helpText,
});

export const contactInputs: PlainInputField[] = [
  { key: 'name', label: 'Name', type: 'string', helpText: 'First and last name together.' },
  {
    key: 'email',
    label: 'Email',
    type: 'string',
    helpText: 'Must be unique in the workspace.',
  },
  {
    key: 'phone',
    label: 'Phone',
    type: 'string',
    helpText: 'At most 60 characters, with the country code, for example `+44 20 7946 0018`.',
  },
  { key: 'city', label: 'City', type: 'string', helpText: 'The city that the contact lives in.' },
  { key: 'language', label: 'Language', type: 'string', helpText: 'A language code such as `en` or `de`.' },
];
