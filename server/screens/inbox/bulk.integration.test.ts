import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { withLockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import type { BulkChange } from '#server/screens/inbox/views.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { type ConversationColumns, makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { until } from '#test/fixtures/until.ts';

/**
 * `make` creates conversations that are assigned to the owner. The agent calls `bulk`. The connection records events.
 */
const test = screensTest
  .extend('bulk', async ({ screensOf }) => (await screensOf('agent')).bulk)
  .extend(
    'make',
    ({ connection }) =>
      (columns: ConversationColumns = {}) =>
        makeConversation(connection, { status: 'open', ...columns }),
  );

const SOLVE = { kind: 'status', status: 'solved' } satisfies BulkChange;

describe('a change of selected conversations', () => {
  test('changes each one with its own event, and Undo restores each value', async ({
    bulk,
    make,
    workspaceId,
  }) => {
    const [open, pending] = [await make(), await make({ status: 'pending' })];
    const { changed, skipped } = await bulk.change({ ids: [open, pending, open], change: SOLVE });
    expect(changed).toMatchObject([
      { id: open, status: 'open' },
      { id: pending, status: 'pending' },
    ]);
    expect(skipped).toEqual([]);
    expect(await statusesOf([open, pending])).toEqual(['solved', 'solved']);
    const events = await recordedEvents(workspaceId);
    expect(events.map(({ event }) => event)).toEqual([
      'conversation.status_changed',
      'conversation.status_changed',
    ]);
    expect(events).toMatchObject([{ previous_status: 'open' }, { previous_status: 'pending' }]);

    expect(await bulk.undo({ before: changed, change: SOLVE })).toEqual({ changed, skipped: [] });
    expect(await statusesOf([open, pending])).toEqual(['open', 'pending']);
    expect(await recordedEventsOf(workspaceId, 'conversation.status_changed')).toHaveLength(4);
  });

  test('assigns a teammate, and Undo returns each conversation to its assignee', async ({
    bulk,
    make,
    teammates: { owner, agent },
    workspaceId,
  }) => {
    const [assigned, unassigned] = [await make(), await make({ assigneeId: null, assignedAt: null })];
    const change = { kind: 'assignee', assigneeId: agent.id } as const;
    const { changed } = await bulk.change({ ids: [assigned, unassigned], change });
    expect((await recordOf(assigned)).assignee?.id).toBe(agent.id);
    expect((await recordOf(unassigned)).assignee?.id).toBe(agent.id);
    expect(await recordedEventsOf(workspaceId, 'conversation.assigned')).toHaveLength(2);
    await bulk.undo({ before: changed, change });
    expect((await recordOf(assigned)).assignee?.id).toBe(owner.id);
    expect((await recordOf(unassigned)).assignee).toBeNull();
  });

  test('removes the team, and Undo returns each conversation to its team', async ({ bulk, make }) => {
    const [one, other] = [await make(), await make()];
    const teams = [(await recordOf(one)).team, (await recordOf(other)).team];
    const change = { kind: 'team', teamId: null } as const;
    const { changed } = await bulk.change({ ids: [one, other], change });
    expect((await recordOf(one)).team).toBeNull();
    await bulk.undo({ before: changed, change });
    expect([(await recordOf(one)).team, (await recordOf(other)).team]).toEqual(teams);
  });

  test('adds tags, and Undo leaves the tags that a conversation had before', async ({
    bulk,
    make,
    workspaceId,
  }) => {
    const id = await make();
    const change = { kind: 'tags', tags: ['shipping', 'Refund'] } satisfies BulkChange;
    const { changed } = await bulk.change({ ids: [id], change });
    expect((await recordOf(id)).tags).toEqual(['Shipping', 'Refund']);
    expect(await recordedEventsOf(workspaceId, 'conversation.tagged')).toMatchObject([
      { added_tags: ['Refund'] },
    ]);
    await bulk.undo({ before: changed, change });
    expect((await recordOf(id)).tags).toEqual(['Shipping']);
  });

  test('snoozes, and Undo restores an earlier snooze or ends the new one', async ({ bulk, make }) => {
    const earlier = inHours(1);
    const ids = [
      await make(),
      await make({ status: 'pending' }),
      await make({ status: 'pending', snoozedUntil: earlier }),
    ];
    const change = { kind: 'snooze', until: inHours(2) } as const;
    const { changed } = await bulk.change({ ids, change });
    expect(await statusesOf(ids)).toEqual(['pending', 'pending', 'pending']);
    await bulk.undo({ before: changed, change });
    expect(await statusesOf(ids)).toEqual(['open', 'pending', 'pending']);
    const again = await bulk.change({ ids, change });
    expect(again.changed.map(({ snoozedUntil }) => snoozedUntil)).toEqual([null, null, earlier]);
  });

  test('solves a snoozed conversation, and Undo snoozes it again', async ({ bulk, make }) => {
    const snoozedUntil = inHours(1);
    const id = await make({ status: 'pending', snoozedUntil });
    const { changed } = await bulk.change({ ids: [id], change: SOLVE });
    await bulk.undo({ before: changed, change: SOLVE });
    const again = await bulk.change({ ids: [id], change: SOLVE });
    expect(again.changed).toMatchObject([{ id, status: 'pending', snoozedUntil }]);
  });

  test('marks as spam without an event, and Undo returns each conversation to the inbox', async ({
    bulk,
    make,
    workspaceId,
    screensOf,
  }) => {
    const { inbox } = await screensOf('agent');
    const ids = [await make(), await make()].toSorted();
    const listed = async () => (await inbox.list({})).rows.map(({ id }) => id).toSorted();
    const change = { kind: 'spam' } as const;
    const { changed } = await bulk.change({ ids, change });
    expect(await listed()).toEqual([]);
    await bulk.undo({ before: changed, change });
    expect(await listed()).toEqual(ids);
    expect(await recordedEvents(workspaceId)).toEqual([]);
  });
});

describe('a conversation is skipped', () => {
  test('when it cannot be changed or has the value already', async ({
    bulk,
    make,
    screensOf,
    workspaceId,
  }) => {
    const { conversations, removed } = await screensOf('owner');
    const [open, solved, closed] = [
      await make(),
      await make({ status: 'solved' }),
      await make({ status: 'closed' }),
    ];
    const [merged, spam, deleted] = [await make(), await make(), await make()];
    await conversations.merge({ id: merged, intoId: open });
    await removed.markSpam({ id: spam, block: null });
    await removed.delete({ id: deleted });
    const elsewhere = await makeConversation(await makeConnection(), { status: 'open' });
    const ids = [solved, closed, merged, spam, deleted, elsewhere, open];
    const { changed, skipped } = await bulk.change({ ids, change: SOLVE });
    expect(changed.map(({ id }) => id)).toEqual([open]);
    expect(skipped).toMatchObject([
      { id: solved, problem: 'There was nothing to change.' },
      { id: closed, problem: expect.stringContaining('a closed conversation stays closed') },
      { id: merged, problem: expect.stringContaining('merged into another one') },
      { id: spam, problem: expect.stringContaining('marked as spam') },
      { id: deleted, problem: expect.stringContaining('deleted') },
      { id: elsewhere, problem: 'The conversation was not found.' },
    ]);
    expect(await recordedEvents(workspaceId)).toHaveLength(1);
    expect((await recordOf(elsewhere)).status).toBe('open');
  });

  test('when the assignee left the workspace or the snooze time is past', async ({ bulk, make }) => {
    const id = await make();
    const assigneeId = (await makeConnection()).teammate.id;
    const assigned = await bulk.change({ ids: [id], change: { kind: 'assignee', assigneeId } });
    expect(assigned).toMatchObject({ changed: [], skipped: [{ id }] });
    const snoozed = await bulk.change({ ids: [id], change: { kind: 'snooze', until: inHours(-1) } });
    expect(snoozed.skipped).toEqual([{ id, problem: 'Choose a time in the future.' }]);
  });

  test('by Undo when somebody has changed it since', async ({ bulk, make, connection, workspaceId }) => {
    const [reopened, solved] = [await make({ status: 'pending' }), await make({ status: 'pending' })];
    const { changed } = await bulk.change({ ids: [reopened, solved], change: SOLVE });
    const actor = { kind: 'teammate', teammate: connection.teammate } as const;
    await updateConversation({ workspaceId, id: reopened, actor, changes: { status: 'open' } });
    const undone = await bulk.undo({ before: changed, change: SOLVE });
    expect(undone.skipped).toEqual([{ id: reopened, problem: 'It has been changed since.' }]);
    expect(await statusesOf([reopened, solved])).toEqual(['open', 'pending']);
  });
});

test('two teammates who change the same conversations in opposite order wait for each other', async ({
  make,
  screensOf,
  workspaceId,
}) => {
  const [owner, agent] = [(await screensOf('owner')).bulk, (await screensOf('agent')).bulk];
  const ids = await Promise.all(Array.from({ length: 20 }, () => make()));
  const [one, other] = await Promise.all([
    owner.change({ ids, change: SOLVE }),
    agent.change({ ids: ids.toReversed(), change: SOLVE }),
  ]);
  expect([...one.changed, ...other.changed].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const events = await recordedEventsOf(workspaceId, 'conversation.status_changed');
  expect(events.map(({ conversation }) => conversation.id).toSorted()).toEqual(ids.toSorted());
});

test('a viewer cannot change selected conversations', async ({ screensOf, make }) => {
  const { bulk } = await screensOf('viewer');
  const id = await make();
  await expect(bulk.change({ ids: [id], change: SOLVE })).rejects.toThrow('change nothing');
  await expect(bulk.undo({ before: [], change: SOLVE })).rejects.toThrow('change nothing');
  expect(await statusesOf([id])).toEqual(['open']);
});

test('a teammate who becomes a viewer while selected conversations change changes no further one', async ({
  bulk,
  make,
  workspaceId,
  teammates: { agent },
}) => {
  const [first, second] = [await make(), await make()];
  const { promise: changing, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof bulk.change>>>();
  await withLockedConversation({ workspaceId, id: first }, async () => {
    bulk.change({ ids: [first, second], change: SOLVE }).then(resolve);
    await until('the change waits', async () => (await countLockWaiters()) > 0);
    await db().member.updateMany({ where: { workspaceId, userId: agent.id }, data: { role: 'viewer' } });
  });
  expect((await changing).skipped).toContainEqual({ id: second, problem: expect.stringContaining('viewer') });
  expect(await statusesOf([second])).toEqual(['open']);
});

test('invalid tags are refused', async ({ bulk, make }) => {
  const id = await make();
  const change = { kind: 'tags', tags: ['x'.repeat(41)] } satisfies BulkChange;
  await expect(bulk.change({ ids: [id], change })).rejects.toThrow('at most 40 characters');
});

async function statusesOf(ids: string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await recordOf(id)).status));
}

function inHours(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}
