import { describe, expect, test } from 'vitest';
import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import {
  assign,
  type Change,
  changeOf,
  joinChanges,
  setStatus,
  setTeam,
} from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { assignmentParts, requiresAssignee } from '#server/inbox/conversations/request-assignment.ts';

const now = new Date('2026-11-21T06:29:29.123Z');
const actor = { kind: 'automatic' } as const;
const ada: Teammate = { id: 'ada', name: 'Ada', email: 'ada@acme.test' };
const support = { id: 'support', name: 'Support' };

const moved = setTeam({ team: null }, support);
const wrote = changeOf({ columns: { lastInboundAt: now } });

describe('an assignee is required', () => {
  test.each<[string, LockedConversation, Change]>([
    ['by an open conversation that comes to a team', conversation(), moved],
    [
      'when a solved one is open again',
      conversation({ status: 'solved' }),
      setStatus({ status: 'solved' }, { status: 'open', now }),
    ],
    [
      'when spam returns to the inbox',
      { ...conversation(), removal: 'spam' },
      changeOf({ columns: { removal: null } }),
    ],
    [
      'when a merge is undone',
      { ...conversation(), mergedIntoId: 'other' },
      changeOf({ columns: { mergedIntoId: null } }),
    ],
    ['when the contact writes to an assignee, who may be away', conversation({ assignee: ada }), wrote],
  ])('%s', (_when, before, change) => {
    expect(requiresAssignee(before, change)).toBe(true);
  });
});

describe('no assignee is required', () => {
  test.each<[string, LockedConversation, Change]>([
    ['by a solved conversation that comes to a team', conversation({ status: 'solved' }), moved],
    [
      'by one that comes to a team and is solved at once',
      conversation(),
      joinChanges([moved, setStatus({ status: 'open' }, { status: 'solved', now })]),
    ],
    ['by an assigned one that comes to a team', conversation({ assignee: ada }), moved],
    ['by spam', { ...conversation(), removal: 'spam' }, moved],
    ['by a merged conversation', { ...conversation(), mergedIntoId: 'other' }, moved],
    ['by a test of the AI agent', { ...conversation(), isTest: true }, moved],
    ['when the contact writes again in an unassigned one', conversation(), wrote],
    ['when the priority changes', conversation(), changeOf({ columns: { priority: 'high' } })],
  ])('%s', (_when, before, change) => {
    expect(requiresAssignee(before, change)).toBe(false);
  });
});

test('a change that chooses an assignee, if only nobody, withdraws a request and makes none', () => {
  const change = joinChanges([moved, assign({ assignee: null }, { assignee: null, actor, now })]);
  expect(Object.keys(assignmentParts(conversation(), { actor, change }))).toEqual(['withdrawn']);
});

test('a conversation without a team makes no request', () => {
  const change = setStatus({ status: 'solved' }, { status: 'open', now });
  expect(assignmentParts(conversation({ status: 'solved' }), { actor, change })).toEqual({});
});

test('a request waits for the AI agent, unless a teammate caused it', () => {
  const before = { ...conversation(), aiAgentEnabled: true };
  const delayed = (given: Parameters<typeof assignmentParts>[1]) =>
    assignmentParts(before, given).requested?.values.includes(25);
  expect(delayed({ actor, change: moved })).toBe(true);
  expect(delayed({ actor: { kind: 'teammate', teammate: ada }, change: moved })).toBe(false);
});

function conversation(record: Partial<ConversationRecord> = {}): LockedConversation {
  return {
    id: 'id',
    workspaceId: 'workspace',
    record: {
      id: 'id',
      subject: null,
      status: 'open',
      priority: 'normal',
      channel: 'email',
      tags: [],
      assignee: null,
      team: null,
      contact: null,
      created_at: '2026-11-21T06:29:29.123000Z',
      updated_at: '2026-11-21T06:29:29.123000Z',
      resolved_at: null,
      url: '',
      ...record,
    },
    mailboxId: null,
    mergedIntoId: null,
    removal: null,
    snoozedUntil: null,
    isTest: false,
    isAnonymized: false,
    replyTo: [],
    usesReplyTo: false,
    aiAgentSilenced: false,
    aiAgentEnabled: false,
    assignOnReply: true,
    flowTriggers: [],
  };
}
