// Examples of the API document, consistent with each other. A test parses each with its schema.
export const exampleTeammate = {
  id: '01a0b2c4-5d6e-7f80-9a1b-2c3d4e5f6071',
  name: 'Maya Chen',
  email: 'maya@northwind.example',
};

export const exampleTeam = { id: '01a0b2c4-6e11-7a2b-8c3d-4e5f60718293', name: 'Support' };

export const exampleContact = {
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

const CONVERSATION_ID = '01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a';
const CONVERSATION_URL = `https://inbox.example.com/inbox?selected=${CONVERSATION_ID}`;

export const exampleConversation = {
  id: CONVERSATION_ID,
  subject: 'Where is order 1042?',
  status: 'open' as const,
  priority: 'normal' as const,
  channel: 'email' as const,
  tags: ['shipping'],
  assignee: exampleTeammate,
  team: exampleTeam,
  contact: exampleContact,
  created_at: '2026-11-21T06:29:29.123+00:00',
  updated_at: '2026-11-21T06:31:02.480+00:00',
  resolved_at: null,
  url: CONVERSATION_URL,
};

export const exampleMessage = {
  id: '01a4d7f0-3c4d-7e5f-8061-7c8d9e0f1a2b',
  content: 'Hello, my order has not arrived yet. Could you look into it?',
  created_at: '2026-11-21T06:29:29.123+00:00',
  attachments_count: 1,
};

export const exampleRating = { score: 5, comment: 'Quick and friendly, thank you.' };

export const exampleReply = {
  id: '01a4d7f2-4d5e-7f60-9172-8d9e0f1a2b3c',
  conversation_id: CONVERSATION_ID,
  content: 'Hello Ada, your order left our warehouse this morning.',
  created_at: '2026-11-21T06:31:02.480+00:00',
  send_status: 'sent' as const,
  delivery_error: null,
  url: CONVERSATION_URL,
};

export const exampleNote = {
  id: '01a4d7f3-5e6f-7081-8283-9e0f1a2b3c4d',
  conversation_id: CONVERSATION_ID,
  content: '@Maya Chen the carrier says the parcel is in Dover.',
  created_at: '2026-11-21T06:32:15.007+00:00',
  url: CONVERSATION_URL,
};

export const exampleHook = {
  id: '01a4d7f4-6f70-7192-9394-0f1a2b3c4d5e',
  event: 'conversation.status_changed' as const,
  target_url: 'https://hooks.platform.example/hooks/standard/1042/8f14e45f/',
  command: null,
  status: 'solved' as const,
  tag: null,
  created_at: '2026-11-21T06:33:40.250+00:00',
};

export const exampleConnection = {
  id: '01a4d7e0-7081-72a3-8495-1a2b3c4d5e6f',
  user_id: exampleTeammate.id,
  user_name: exampleTeammate.name,
  email: exampleTeammate.email,
  workspace_id: '01a0b2c4-8192-73b4-95a6-2b3c4d5e6f70',
  workspace_name: 'Northwind',
};
