import type { INodeProperties } from 'n8n-workflow';
import { authentication } from './authentication';

/** The filter parameter of each event that has one. */
export const FILTERS: Record<string, string> = {
  'conversation.status_changed': 'status',
  'conversation.tagged': 'tag',
  'operator.command': 'command',
};

/** Events that both credentials have. */
const COMMON_EVENTS = [
  { name: 'Conversation Assigned', value: 'conversation.assigned' },
  { name: 'Conversation Status Changed', value: 'conversation.status_changed' },
  { name: 'Conversation Tagged', value: 'conversation.tagged' },
  { name: 'New Contact', value: 'contact.created' },
  { name: 'New Conversation', value: 'conversation.created' },
  { name: 'New Customer Message', value: 'message.received' },
  { name: 'New Satisfaction Rating', value: 'conversation.rated' },
];

const HOOK_EVENTS = [...COMMON_EVENTS, { name: 'Workflow Command', value: 'operator.command' }];

/** Without commands: a teammate can run only those that a hook listens for. */
const WEBHOOK_EVENTS = [
  ...COMMON_EVENTS,
  { name: 'Contact Merged', value: 'contact.merged' },
  { name: 'Contact Updated', value: 'contact.updated' },
  { name: 'Conversation Deleted', value: 'conversation.deleted' },
  { name: 'Conversation Merged', value: 'conversation.merged' },
  { name: 'Conversation Unassigned', value: 'conversation.unassigned' },
  { name: 'Note Added', value: 'note.added' },
  { name: 'Reply Failed', value: 'reply.failed' },
  { name: 'Reply Sent', value: 'reply.sent' },
  { name: 'Tag Removed', value: 'conversation.tag_removed' },
].sort((a, b) => (a.name < b.name ? -1 : 1));

export const triggerProperties: INodeProperties[] = [
  authentication,
  {
    displayName: 'Event',
    name: 'event',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { authentication: ['oAuth2'] } },
    options: HOOK_EVENTS,
    default: 'conversation.created',
  },
  {
    displayName: 'Event',
    name: 'event',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { authentication: ['apiToken'] } },
    options: WEBHOOK_EVENTS,
    default: 'conversation.created',
  },
  {
    displayName: 'Status',
    name: 'status',
    type: 'options',
    options: [
      { name: 'Any', value: '' },
      { name: 'Closed', value: 'closed' },
      { name: 'Open', value: 'open' },
      { name: 'Pending', value: 'pending' },
      { name: 'Solved', value: 'solved' },
    ],
    default: '',
    description: 'Only changes to this status',
    displayOptions: { show: { event: ['conversation.status_changed'] } },
  },
  {
    displayName: 'Tag',
    name: 'tag',
    type: 'string',
    default: '',
    description: 'Only when this tag is added, in upper or lower case. Leave it empty for any tag.',
    displayOptions: { show: { event: ['conversation.tagged'] } },
  },
  {
    displayName: 'Command',
    name: 'command',
    type: 'string',
    default: '',
    placeholder: 'refund',
    description:
      'Lowercase letters, digits, - and _, at most 48 characters, starting with a letter or digit. Leave it empty for every command.',
    displayOptions: { show: { event: ['operator.command'] } },
  },
  {
    displayName: 'Ignore Own Changes',
    name: 'ignoreOwnChanges',
    type: 'boolean',
    default: false,
    description:
      'Whether to leave out what is caused with the same API token, so that a workflow does not start itself',
    displayOptions: { show: { authentication: ['apiToken'] } },
  },
];
