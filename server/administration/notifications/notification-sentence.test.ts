import { describe, expect, test } from 'vitest';
import {
  type NotificationSubject,
  notificationSentence,
} from '#server/administration/notifications/notification-sentence.ts';
import type { HookNotification, NotificationContent } from '#server/teammates/notification-content.ts';

const ID = '01a1fe08-26c9-701b-a6d2-1ac12d5c02f6';
const order = { subject: 'Where is my order?', contactName: 'Nora Newcomer' };
const nameless = { subject: null, contactName: null };
const untitled = { ...order, subject: null };
const hookNames = { filter: 'vip', teammateName: 'Ada Admin' };

const sentence = (content: NotificationContent | null, about: Partial<NotificationSubject> = {}) =>
  notificationSentence(content, {
    conversation: order,
    hookNames: undefined,
    platformName: 'Workflow Platform',
    ...about,
  });

test.each<[NotificationContent, string]>([
  [{ kind: 'assigned', data: { byName: 'Olivia' } }, 'Olivia assigned “Where is my order?” to you.'],
  [{ kind: 'assigned', data: { byName: null } }, '“Where is my order?” was assigned to you.'],
  [{ kind: 'noted', data: { byName: 'Olivia', noteId: ID } }, 'Olivia added a note to “Where is my order?”.'],
  [{ kind: 'noted', data: { byName: null, noteId: ID } }, 'A note was added to “Where is my order?”.'],
  [
    { kind: 'mentioned', data: { byName: 'Olivia', noteId: ID } },
    'Olivia mentioned you in a note to “Where is my order?”.',
  ],
  [
    { kind: 'mentioned', data: { byName: null, noteId: ID } },
    'You were mentioned in a note to “Where is my order?”.',
  ],
  [
    { kind: 'new_conversation', data: { more: 0, isNew: true } },
    '“Where is my order?” is new and unassigned.',
  ],
  [
    { kind: 'new_conversation', data: { more: 1, isNew: true } },
    '“Where is my order?” and 1 other conversation are new and unassigned.',
  ],
  [
    { kind: 'new_conversation', data: { more: 12, isNew: true } },
    '“Where is my order?” and 12 other conversations are new and unassigned.',
  ],
  [
    { kind: 'new_conversation', data: { more: 0, isNew: false } },
    '“Where is my order?” is waiting and unassigned.',
  ],
  [
    { kind: 'new_conversation', data: { more: 2, isNew: false } },
    '“Where is my order?” and 2 other conversations are waiting and unassigned.',
  ],
  [{ kind: 'contact_wrote', data: { messageId: ID } }, 'Nora Newcomer wrote in “Where is my order?”.'],
  [
    { kind: 'contact_wrote', data: { messageId: ID, authorName: 'Bob Copy' } },
    'Bob Copy wrote in “Where is my order?”.',
  ],
  [
    { kind: 'assignee_away', data: { assigneeName: 'Amara Obi', until: '2026-12-06T15:00:00+00:00' } },
    'There is a new message in “Where is my order?”. Amara Obi is away until 7 Dec 2026.',
  ],
  [
    { kind: 'assignee_away', data: { assigneeName: 'Amara Obi', until: null } },
    'There is a new message in “Where is my order?”. Amara Obi is away.',
  ],
  [
    { kind: 'reply_not_sent', data: { why: 'It was merged.', byName: null } },
    'Your reply in “Where is my order?” was not sent. It was merged.',
  ],
  [
    { kind: 'reply_not_sent', data: { why: 'It was merged.', byName: 'Olivia' } },
    'Olivia’s reply in “Where is my order?” was not sent. It was merged.',
  ],
  [
    {
      kind: 'message_failed',
      data: { messageId: ID, why: 'No such mailbox.', isYours: true, byName: 'Ada' },
    },
    'Sending your message in “Where is my order?” failed. No such mailbox.',
  ],
  [
    {
      kind: 'message_failed',
      data: { messageId: ID, why: 'No such mailbox.', isYours: false, byName: 'Ada' },
    },
    'Sending Ada’s message in “Where is my order?” failed. No such mailbox.',
  ],
  [
    {
      kind: 'message_failed',
      data: { messageId: ID, why: 'No such mailbox.', isYours: false, byName: null },
    },
    'Sending a message in “Where is my order?” failed. No such mailbox.',
  ],
  [
    {
      kind: 'message_failed',
      data: { messageId: ID, why: 'An email came back.', isYours: true, byName: 'Ada', isDoubtful: true },
    },
    'Your message in “Where is my order?” may not have arrived. An email came back.',
  ],
  [
    { kind: 'sla_breached', data: { limit: 'first_response' } },
    'The first response to “Where is my order?” is overdue.',
  ],
  [
    { kind: 'sla_breached', data: { limit: 'resolution' } },
    'The resolution of “Where is my order?” is overdue.',
  ],
  [
    { kind: 'rated', data: { ratingId: ID, score: 4 } },
    'Nora Newcomer rated “Where is my order?” 4 out of 5.',
  ],
])('describes $kind in a sentence: %#', (content, expected) => {
  expect(sentence(content)).toBe(expected);
});

describe('names a conversation without a subject by its contact', () => {
  test.each<[NotificationContent, NotificationSubject['conversation'], string]>([
    [
      { kind: 'assigned', data: { byName: null } },
      untitled,
      'The conversation with Nora Newcomer was assigned to you.',
    ],
    [{ kind: 'assigned', data: { byName: 'Olivia' } }, nameless, 'Olivia assigned a conversation to you.'],
    [{ kind: 'contact_wrote', data: { messageId: ID } }, untitled, 'Nora Newcomer wrote to you.'],
    [{ kind: 'contact_wrote', data: { messageId: ID } }, nameless, 'The contact wrote to you.'],
    [
      { kind: 'rated', data: { ratingId: ID, score: 1 } },
      untitled,
      'Nora Newcomer rated your conversation 1 out of 5.',
    ],
    [{ kind: 'assigned', data: { byName: null } }, null, 'A conversation was assigned to you.'],
  ])('%#', (content, conversation, expected) => {
    expect(sentence(content, { conversation })).toBe(expected);
  });
});

describe('names a hook by the trigger of its workflow', () => {
  const data = { hookId: ID, event: 'conversation.tagged', since: '2026-11-21T14:05:00.000Z' } as const;
  const failing: HookNotification = { kind: 'hook_failing', data: { ...data, count: 25, lastStatus: 500 } };
  const about = { conversation: null, hookNames };

  test('while it fails, with its filter and the teammate who connected it', () => {
    expect(sentence(failing, about)).toBe(
      '25 events in a row failed for a workflow: Conversation Tagged (vip), connected by Ada Admin.',
    );
  });

  test('when it was removed, with the reason', () => {
    expect(sentence({ kind: 'hook_removed', data: { ...data, reason: 'failing' } }, about)).toBe(
      'The workflow Conversation Tagged (vip) stopped: 50 events in a row failed. Ada Admin connected it.',
    );
    expect(sentence({ kind: 'hook_removed', data: { ...data, reason: 'gone' } }, about)).toBe(
      'The workflow Conversation Tagged (vip) stopped: Workflow Platform says it no longer exists. Ada Admin connected it.',
    );
  });

  test('by its event only, once its record is deleted', () => {
    expect(sentence(failing, { conversation: null })).toBe(
      '25 events in a row failed for a workflow: Conversation Tagged.',
    );
  });
});

test('a new API token is named by its label and by who created it', () => {
  const token = { tokenId: ID, label: 'Warehouse sync', abilities: ['read'], byName: 'Ada Admin' };
  expect(sentence({ kind: 'api_token_created', data: token }, { conversation: null })).toBe(
    'Ada Admin created the API token “Warehouse sync”.',
  );
});

describe('a connection sentence', () => {
  const data = { connectionId: ID, teammateName: 'Ada Admin' };

  test('names the teammate who connected', () => {
    expect(sentence({ kind: 'connection_started', data }, { conversation: null })).toBe(
      'Ada Admin connected Workflow Platform to this workspace.',
    );
  });

  test.each([
    ['teammate_left', 'Ada Admin is no longer in this workspace.'],
    ['not_allowed', 'Ada Admin is no longer an owner or admin.'],
  ] as const)('gives the reason for the end: %s', (reason, why) => {
    const content: NotificationContent = { kind: 'connection_ended', data: { ...data, reason } };
    expect(sentence(content, { conversation: null })).toBe(
      `Ada Admin’s connection to Workflow Platform ended. ${why}`,
    );
  });

  test('that was disconnected in the platform', () => {
    const content: NotificationContent = {
      kind: 'connection_ended',
      data: { ...data, reason: 'revoked_by_platform' },
    };
    expect(sentence(content, { conversation: null })).toBe(
      'Ada Admin’s connection was disconnected in Workflow Platform.',
    );
  });
});

test('mentions the conversation for a kind that only a newer version knows', () => {
  expect(sentence(null)).toBe('There is an update to “Where is my order?”.');
});

test.for<[string, string]>([
  ['Auckland in summer', '2026-12-06T11:00:00+00:00'],
  ['the Chatham Islands in summer', '2026-12-06T10:15:00+00:00'],
  ['Tokyo', '2026-12-06T15:00:00+00:00'],
  ['New York', '2026-12-07T05:00:00+00:00'],
  ['Honolulu', '2026-12-07T10:00:00+00:00'],
])('an absence until 7 December in %s is until that day', ([_zone, until]) => {
  const content = { kind: 'assignee_away' as const, data: { assigneeName: 'Amara Obi', until } };
  const subject = { conversation: null, hookNames: undefined, platformName: 'Example' };
  expect(notificationSentence(content, subject)).toBe(
    'There is a new message in a conversation. Amara Obi is away until 7 Dec 2026.',
  );
});
