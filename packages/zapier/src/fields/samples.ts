import type { EventKey } from './record-fields.ts';

/** Invented samples, shown in the editor while the workspace has no events. */
const teammate = {
  id: '01a0b2c4-5d6e-7f80-9a1b-2c3d4e5f6071',
  name: 'Maya Chen',
  email: 'maya@northwind.example',
};

export const contact = {
  id: '01a4d7f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@engines.example',
  phone: '+44 20 7946 0018',
  city: 'London',
  language: 'en',
  company: { id: '01a0b2c4-7f22-7b3c-9d4e-5f60718293a4', name: 'Analytical Engines' },
  created_at: '2026-11-21T06:29:28.961+00:00',
  url: 'https://inbox.example.com/contacts/01a4d7f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
};

export const conversation = {
  id: '01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a',
  subject: 'Where is order 1042?',
  status: 'open',
  priority: 'normal',
  channel: 'email',
  tags: ['shipping'],
  assignee: teammate,
  team: { id: '01a0b2c4-6e11-7a2b-8c3d-4e5f60718293', name: 'Support' },
  contact,
  created_at: '2026-11-21T06:29:29.123+00:00',
  updated_at: '2026-11-21T06:31:02.480+00:00',
  resolved_at: '2026-11-21T06:31:02.480+00:00',
  url: 'https://inbox.example.com/inbox?selected=01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a',
};

export const note = {
  id: '01a4d7f3-5e6f-7081-8283-9e0f1a2b3c4d',
  conversation_id: conversation.id,
  content: 'The carrier says the parcel is in Dover.',
  created_at: '2026-11-21T06:32:15.007+00:00',
  url: conversation.url,
};

export const reply = {
  ...note,
  id: '01a4d7f2-4d5e-7f60-9172-8d9e0f1a2b3c',
  content: 'Hello Ada, your order left our warehouse this morning.',
  send_status: 'sent',
  delivery_error: null,
};

const envelope = <Key extends EventKey>(event: Key) => ({
  id: '01a4d7f5-8172-7243-9596-2a3b4c5d6e7f',
  event,
  occurred_at: '2026-11-21T06:31:02.480+00:00',
});

export const eventSamples: Record<EventKey, Record<string, unknown>> = {
  'conversation.created': { ...envelope('conversation.created'), conversation },
  'conversation.status_changed': {
    ...envelope('conversation.status_changed'),
    conversation: { ...conversation, status: 'solved' },
    previous_status: 'open',
  },
  'conversation.assigned': {
    ...envelope('conversation.assigned'),
    conversation,
    previous_assignee: {
      id: '01a0b2c4-9ab0-7c1d-8e2f-3a4b5c6d7e8f',
      name: 'Arjun Mehta',
      email: 'arjun@northwind.example',
    },
  },
  'conversation.tagged': { ...envelope('conversation.tagged'), conversation, added_tags: ['shipping'] },
  'conversation.rated': {
    ...envelope('conversation.rated'),
    conversation: { ...conversation, status: 'solved' },
    rating: { score: 5, comment: 'Quick and friendly, thank you.' },
  },
  'message.received': {
    ...envelope('message.received'),
    conversation,
    message: {
      id: '01a4d7f0-3c4d-7e5f-8061-7c8d9e0f1a2b',
      content: 'Hello, my order has not arrived yet. Could you look into it?',
      created_at: '2026-11-21T06:29:29.123+00:00',
      attachments_count: 1,
    },
  },
  'contact.created': { ...envelope('contact.created'), contact },
  'operator.command': {
    ...envelope('operator.command'),
    conversation,
    command: 'refund',
    arguments: 'order 1042',
    operator: teammate,
  },
};
