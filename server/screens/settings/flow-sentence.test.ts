import { expect, test } from 'vitest';
import type { FlowActions, FlowCondition, FlowTrigger } from '#server/inbox/flows/flow.ts';
import { flowSentence } from '#server/screens/settings/flow-sentence.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const ANY: FlowCondition = { channels: [], words: [], emailDomain: null, statuses: [], tags: [] };
const CLOSE: FlowActions = { tags: [], assigneeId: null, teamId: null, status: 'closed', priority: null };
const NAMES = { assignee: undefined, team: undefined, watched: 'Billing' };

test.each<[string, FlowTrigger, Partial<FlowCondition>?, Partial<FlowActions>?]>([
  ['When the contact writes: set its status to closed.', { kind: 'message_received' }],
  ['When a teammate replies: set its status to closed.', { kind: 'replied' }],
  [
    'When the status changes to solved, if it has the tag “VIP” or “gold”: set its status to closed.',
    { kind: 'status_changed', to: 'solved' },
    { tags: ['VIP', 'gold'] },
  ],
  [
    'When a tag is added, if it started by email, it mentions “refund” and it is open or pending: set its status to closed.',
    { kind: 'tagged', tags: [] },
    { channels: ['email'], words: ['refund'], statuses: ['open', 'pending'] },
  ],
  ['When the tag “a” or “b” is added: set its status to closed.', { kind: 'tagged', tags: ['a', 'b'] }],
  ['When the team Billing is assigned: set its status to closed.', { kind: 'team_set', teamId: ID }],
  [
    'When the SLA target for the first response or the resolution is missed: set its priority to urgent.',
    { kind: 'sla_missed', limit: null },
    {},
    { status: null, priority: 'urgent' },
  ],
  [
    'When a conversation has been pending for 3 days: set its status to closed.',
    { kind: 'stayed', status: 'pending', hours: 72 },
  ],
  [
    'When the contact has waited 1 hour for a reply: set its status to closed.',
    { kind: 'team_silent', hours: 1 },
  ],
  [
    'When the contact has not replied for 36 hours, if the contact is from x.test: set its status to closed.',
    { kind: 'contact_silent', hours: 36 },
    { emailDomain: 'x.test' },
  ],
])('%s', (sentence, trigger, condition = {}, actions = {}) => {
  const content = { trigger, condition: { ...ANY, ...condition }, actions: { ...CLOSE, ...actions } };
  expect(flowSentence(content, NAMES)).toBe(sentence);
});
