import { expect, test } from 'vitest';
import { threadItem } from '#server/screens/inbox/thread-items.ts';

const ID = '019a0000-0000-7000-8000-000000000001';

const sentenceOf = (entryKind: string, data: object) => {
  const row = { id: ID, actorKind: 'flow', actorName: 'Refunds', actorId: null, mergedFromId: null } as const;
  const item = threadItem(
    { ...row, kind: 'entry', entryKind, data, createdAt: new Date() },
    { contactName: 'Ada', others: new Map() },
  );
  return 'sentence' in item ? item.sentence : '';
};

test.each([
  ['tagged', { tags: ['Billing'] }, 'The automation “Refunds” added the tag Billing'],
  [
    'tagged',
    { tags: ['Billing'], cause: { kind: 'conversation_started' } },
    'The automation “Refunds” added the tag Billing',
  ],
  [
    'tagged',
    { tags: ['Billing'], cause: { kind: 'message_received', messageId: ID } },
    'The automation “Refunds” added the tag Billing because the contact wrote',
  ],
  [
    'status_changed',
    { from: 'pending', to: 'closed', cause: { kind: 'stayed', flowId: ID, status: 'pending', hours: 72 } },
    'The automation “Refunds” changed the status from pending to closed because it stayed pending for 3 days',
  ],
  [
    'priority_changed',
    { from: 'normal', to: 'urgent', cause: { kind: 'team_silent', flowId: ID, hours: 1 } },
    'The automation “Refunds” changed the priority from normal to urgent because the contact waited for 1 hour',
  ],
  [
    'priority_changed',
    { from: 'normal', to: 'urgent', cause: { kind: 'of_a_later_version' } },
    'The automation “Refunds” changed the priority from normal to urgent',
  ],
  [
    'flow_stopped',
    { because: 'loop' },
    'The automation “Refunds” stopped, because its own change would have started it again',
  ],
  [
    'flow_stopped',
    { because: 'too_often' },
    'The automation “Refunds” ran too often within an hour and no longer runs for this conversation',
  ],
])('%s %j: %s', (kind, data, sentence) => {
  expect(sentenceOf(kind, data)).toBe(sentence);
});
