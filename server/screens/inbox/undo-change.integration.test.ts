import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import type { BulkChange, ValuesBefore } from '#server/screens/inbox/views.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

/**
 * `change` changes a conversation as the agent and returns its values before, and `undo` undoes the change. `write`
 * receives a message of the contact. `snoozed` creates a conversation that is snoozed until `MONDAY`.
 */
const test = screensTest
  .extend('change', async ({ screensOf }) => {
    const { conversations } = await screensOf('agent');
    return (id: string, change: FieldChange | Snooze): Promise<ValuesBefore> =>
      change.kind === 'snooze'
        ? conversations.snooze({ id, until: change.until })
        : conversations.update({ id, changes: change });
  })
  .extend('undo', async ({ screensOf }) => {
    const { bulk } = await screensOf('agent');
    return async (before: ValuesBefore, change: BulkChange) => {
      const { skipped } = await bulk.undo({ before: [before], change });
      return skipped.map(({ problem }) => problem);
    };
  })
  .extend(
    'write',
    ({ workspaceId }) =>
      (conversationId: string) =>
        receiveMessage(...incoming(workspaceId, { conversationId })),
  )
  .extend(
    'snoozed',
    ({ connection }) =>
      () =>
        makeConversation(connection, { status: 'pending', snoozedUntil: MONDAY }),
  );

type FieldChange = Extract<BulkChange, { kind: 'status' | 'priority' | 'assignee' | 'team' }>;
type Snooze = Extract<BulkChange, { kind: 'snooze' }>;

const DAY_MS = 86_400_000;
const MONDAY = new Date(Date.now() + DAY_MS);
const TUESDAY = new Date(MONDAY.getTime() + DAY_MS);
const RESNOOZE = { kind: 'snooze', until: TUESDAY } as const;
const SOLVE = { kind: 'status', status: 'solved' } as const;
const REOPEN = { kind: 'status', status: 'open' } as const;
const CHANGED_SINCE = ['It has been changed since.'];

describe('Undo of a change of one conversation', () => {
  test('restores the status, assignee, team or priority that the change replaced', async ({
    change,
    undo,
    conversation: id,
  }) => {
    const original = await stateOf(id);
    const changes: FieldChange[] = [
      SOLVE,
      { kind: 'assignee', assigneeId: null },
      { kind: 'team', teamId: null },
      { kind: 'priority', priority: 'urgent' },
    ];
    for (const each of changes) {
      const before = await change(id, each);
      expect(await stateOf(id)).not.toEqual(original);
      expect(await undo(before, each)).toEqual([]);
      expect(await stateOf(id)).toEqual(original);
    }
  });

  test.for([
    ['solving', SOLVE],
    ['reopening', REOPEN],
    ['snoozing again', RESNOOZE],
    ['cancelling the snooze', { kind: 'snooze', until: null }],
  ] as const)(
    'snoozes a snoozed conversation until the same time again after %s',
    async ([, to], { change, undo, snoozed }) => {
      const id = await snoozed();
      const before = await change(id, to);
      expect(await undo(before, to)).toEqual([]);
      expect(await stateOf(id)).toMatchObject({ status: 'pending', snoozedUntil: MONDAY });
    },
  );

  test('ends a new snooze', async ({ change, undo, conversation: id }) => {
    const snooze = { kind: 'snooze', until: MONDAY } as const;
    const before = await change(id, snooze);
    expect(await undo(before, snooze)).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ status: 'open', snoozedUntil: null });
  });
});

describe('Undo changes nothing and says so', () => {
  test.for([
    ['solved', SOLVE],
    ['snoozed', RESNOOZE],
  ] as const)(
    'when the contact has written since the conversation was %s',
    async ([, to], { change, undo, snoozed, write }) => {
      const id = await snoozed();
      const before = await change(id, to);
      await write(id);
      expect(await undo(before, to)).toEqual(CHANGED_SINCE);
      expect(await stateOf(id)).toMatchObject({ status: 'open', snoozedUntil: null });
    },
  );

  test('when somebody has snoozed the conversation since', async ({
    change,
    undo,
    conversation: id,
    screensOf,
  }) => {
    const wait = { kind: 'status', status: 'pending' } as const;
    const before = await change(id, wait);
    await (await screensOf('owner')).conversations.snooze({ id, until: MONDAY });
    expect(await undo(before, wait)).toEqual(CHANGED_SINCE);
    expect(await stateOf(id)).toMatchObject({ status: 'pending', snoozedUntil: MONDAY });
  });

  test('when somebody has changed the assignee, team or priority since', async ({
    change,
    undo,
    conversation: id,
    screensOf,
    teammates: { agent, admin },
  }) => {
    const { teamId } = await stateOf(id);
    const cases: [FieldChange, Partial<Awaited<ReturnType<typeof stateOf>>>][] = [
      [{ kind: 'assignee', assigneeId: agent.id }, { assigneeId: admin.id }],
      [{ kind: 'team', teamId: null }, { teamId }],
      [{ kind: 'priority', priority: 'low' }, { priority: 'urgent' }],
    ];
    const { conversations } = await screensOf('owner');
    for (const [to, since] of cases) {
      const before = await change(id, to);
      await conversations.update({ id, changes: since });
      expect(await undo(before, to)).toEqual(CHANGED_SINCE);
      expect(await stateOf(id)).toMatchObject(since);
    }
  });
});

/** Returns the stored values that Undo restores. */
function stateOf(id: string) {
  return db().conversation.findUniqueOrThrow({
    where: { id },
    select: { status: true, snoozedUntil: true, assigneeId: true, teamId: true, priority: true },
  });
}
