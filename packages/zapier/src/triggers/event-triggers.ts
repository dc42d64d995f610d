import { status } from '../fields/input-fields.ts';
import { type HookTrigger, hookTrigger } from './hook-trigger.ts';

/** All triggers. Those likely to be used most come first. */
export const EVENT_TRIGGERS: readonly HookTrigger[] = [
  {
    key: 'new_conversation',
    event: 'conversation.created',
    noun: 'Conversation',
    label: 'New Conversation',
    description: 'Triggers when a conversation is created on any channel.',
  },
  {
    key: 'conversation_status_changed',
    event: 'conversation.status_changed',
    noun: 'Conversation',
    label: 'Conversation Status Changed',
    description: 'Triggers when the status of a conversation changes.',
    filter: { ...status('Leave it empty for changes to any status.'), key: 'status' },
  },
  {
    key: 'conversation_assigned',
    event: 'conversation.assigned',
    noun: 'Conversation',
    label: 'Conversation Assigned',
    description: 'Triggers when a conversation is assigned to a teammate.',
  },
  {
    key: 'conversation_tagged',
    event: 'conversation.tagged',
    noun: 'Conversation',
    label: 'Conversation Tagged',
    description: 'Triggers when tags are added to a conversation.',
    filter: {
      key: 'tag',
      label: 'Tag',
      type: 'string',
      helpText: 'Only when this tag is added, in upper or lower case. Leave it empty for any tag.',
    },
  },
  {
    key: 'new_satisfaction_rating',
    event: 'conversation.rated',
    noun: 'Rating',
    label: 'New Satisfaction Rating',
    description: 'Triggers when a contact rates a conversation.',
  },
  {
    key: 'new_customer_message',
    event: 'message.received',
    noun: 'Message',
    label: 'New Customer Message',
    description: 'Triggers when a contact writes, in a new or an existing conversation.',
  },
  {
    key: 'new_contact',
    event: 'contact.created',
    noun: 'Contact',
    label: 'New Contact',
    description: 'Triggers when a contact is created.',
  },
  {
    key: 'workflow_command',
    event: 'operator.command',
    noun: 'Command',
    label: 'Workflow Command',
    description: 'Triggers when a teammate runs a workflow command in a conversation.',
    filter: {
      key: 'command',
      label: 'Command',
      type: 'string',
      helpText:
        'Lowercase letters, digits, `-` and `_`, at most 48 characters, for example `refund`. It starts with a letter ' +
        'or digit. Leave it empty for every command.',
    },
  },
];

export const eventTriggers = Object.fromEntries(
  EVENT_TRIGGERS.map((trigger) => [trigger.key, hookTrigger(trigger)]),
);
