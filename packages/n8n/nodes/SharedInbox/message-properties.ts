import type { INodeProperties } from 'n8n-workflow';
import { show } from './properties';

export const messageProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['message'] } },
    options: [
      {
        name: 'Add Internal Note',
        value: 'addNote',
        action: 'Add an internal note',
        description: 'Add a note that the contact never sees. Needs the Growth plan or higher.',
      },
      {
        name: 'Send Reply',
        value: 'reply',
        action: 'Send a reply',
        description: 'Reply to the contact on the channel of the conversation',
      },
    ],
    default: 'reply',
  },
  {
    displayName: 'Conversation ID',
    name: 'conversation_id',
    type: 'string',
    required: true,
    default: '',
    description: 'The ID that an event or Get Many returns',
    displayOptions: show('message', 'addNote', 'reply'),
  },
  {
    displayName: 'Content',
    name: 'content',
    type: 'string',
    typeOptions: { rows: 4 },
    required: true,
    default: '',
    description: 'At most 8,000 characters in a reply, and 10,000 in a note',
    displayOptions: show('message', 'addNote', 'reply'),
  },
];
