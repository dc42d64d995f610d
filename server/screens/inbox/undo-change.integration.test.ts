import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { BulkChange, ValuesBefore } from '#server/screens/inbox/views.ts';
import type { screensFor } from '#server/screens/router.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
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
type Change = (id: string, change: FieldChange) => Promise<ValuesBefore>;
type Undo = (before: ValuesBefore, change: BulkChange) => Promise<string[]>;
type Bulk = Awaited<ReturnType<typeof screensFor>>['bulk'];

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

describe('Undo of solving', () => {
  test.for<[string, (scene: { id: string; change: Change; undo: Undo; bulk: Bulk }) => Promise<unknown>]>([
    ['one conversation', async ({ id, change, undo }) => undo(await change(id, SOLVE), SOLVE)],
    [
      'several conversations',
      async ({ id, bulk }) => {
        const { changed } = await bulk.change({ ids: [id], change: SOLVE });
        await bulk.undo({ before: changed, change: SOLVE });
      },
    ],
  ])(
    'resumes the first response clock of %s, due later by the time that it was stopped',
    async ([, solveAndUndo], { change, undo, screensOf, snoozed, conversation: open }) => {
      const { bulk } = await screensOf('agent');
      for (const id of [open, await snoozed()]) {
        const { dueAt } = await startClock(id);
        await solveAndUndo({ id, change, undo, bulk });
        const [solved, reopened] = await changesOfStatus(id);
        const stoppedMs = (reopened?.getTime() ?? 0) - (solved?.getTime() ?? 0);
        expect(await clockOf(id)).toMatchObject({
          stoppedAt: null,
          dueAt: new Date(dueAt.getTime() + stoppedMs),
        });
      }
    },
  );

  test('leaves the first response clock stopped if an earlier change stopped it', async ({
    change,
    undo,
    conversation: id,
  }) => {
    await startClock(id);
    await change(id, SOLVE);
    await change(id, REOPEN);
    const stopped = await clockOf(id);
    expect(stopped.stoppedAt).not.toBeNull();
    expect(await undo(await change(id, SOLVE), SOLVE)).toEqual([]);
    expect(await clockOf(id)).toEqual(stopped);
  });

  test('leaves the first response clock stopped if a reply was sent in the meantime', async ({
    change,
    undo,
    workspaceId,
    conversation: conversationId,
  }) => {
    await startClock(conversationId);
    const before = await change(conversationId, SOLVE);
    const reply = { direction: 'outbound', authorKind: 'teammate', sendStatus: 'sent' } as const;
    await db().message.create({ data: { workspaceId, conversationId, ...reply, content: 'Hello' } });
    const stopped = await clockOf(conversationId);
    expect(await undo(before, SOLVE)).toEqual([]);
    expect(await clockOf(conversationId)).toEqual(stopped);
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

/** Starts the first response clock of a conversation, due in an hour. */
async function startClock(conversationId: string) {
  const { workspaceId } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
  const dueAt = new Date(Date.now() + 3_600_000);
  return db().slaClock.create({ data: { workspaceId, conversationId, kind: 'first_response', dueAt } });
}

function clockOf(conversationId: string) {
  return db().slaClock.findFirstOrThrow({ where: { conversationId, kind: 'first_response' } });
}

/** Returns the times at which the status changed, oldest first. */
async function changesOfStatus(conversationId: string): Promise<Date[]> {
  const where = { conversationId, kind: { in: ['status_changed', 'snoozed'] } } satisfies object;
  const entries = await db().timelineEntry.findMany({ where, orderBy: { createdAt: 'asc' } });
  return entries.map(({ createdAt }) => createdAt);
}
