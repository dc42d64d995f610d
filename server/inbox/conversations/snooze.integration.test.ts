import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { endSnoozes } from '#server/inbox/conversations/end-snoozes.ts';
import { snoozeConversation } from '#server/inbox/conversations/snooze-conversation.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { makeConversation, timelineOf } from '#test/fixtures/conversations.ts';
import type { Connection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

/** Snoozes by the teammate of `connection`. `due` creates a conversation whose snooze is due. */
const test = serviceTest.extend('snoozes', ({ connection }) => snoozesOf(connection));

describe('a snooze', () => {
  test('makes the conversation pending, and can be changed and cancelled', async ({
    snoozes,
    connection,
  }) => {
    const id = await makeConversation(connection, { status: 'open' });
    const [first, second] = [inHours(1), inHours(2)];
    expect(await snoozes.snooze(id, first)).toMatchObject({ status: 'open', snoozedUntil: null });
    expect(await conversationOf(id)).toMatchObject({ status: 'pending', snoozedUntil: first });
    expect([await snoozes.listed(), await snoozes.count()]).toEqual([[id], 1]);
    await snoozes.snooze(id, second);
    expect(await conversationOf(id)).toMatchObject({ snoozedUntil: second });
    await snoozes.snooze(id, null);
    expect(await conversationOf(id)).toMatchObject({ status: 'pending', snoozedUntil: null });
    expect([await snoozes.listed(), await snoozes.count()]).toEqual([[], 0]);
    expect((await timelineOf(id)).map(({ kind }) => kind)).toEqual([
      'snoozed',
      'snoozed',
      'snooze_cancelled',
    ]);
    expect(await snoozes.statusEvents()).toMatchObject([{ previous_status: 'open' }]);
  });

  test('that does not exist cannot be cancelled: nothing changes', async ({ snoozes, connection }) => {
    const id = await makeConversation(connection, { status: 'pending' });
    const before = await conversationOf(id);
    await snoozes.snooze(id, null);
    expect([await conversationOf(id), await timelineOf(id)]).toEqual([before, []]);
  });

  test('shows its end in the thread', async ({ snoozes, connection }) => {
    const id = await makeConversation(connection, { status: 'open' });
    const until = inHours(1);
    await snoozes.snooze(id, until);
    await snoozes.snooze(id, null);
    const { name } = connection.teammate;
    expect(await snoozes.shown(id)).toMatchObject([
      { sentence: `${name} snoozed this conversation`, until },
      { sentence: `${name} cancelled the snooze`, until: null },
    ]);
  });

  test.for(['open', 'solved', 'closed'] as const)(
    'ends when the status becomes %s',
    async (status, { snoozes, connection }) => {
      const id = await makeConversation(connection, { status: 'open' });
      await snoozes.snooze(id, inHours(1));
      await snoozes.update(id, status);
      expect(await conversationOf(id)).toMatchObject({ status, snoozedUntil: null });
    },
  );

  test('continues when the status is set to pending again', async ({ snoozes, connection }) => {
    const id = await makeConversation(connection, { status: 'open' });
    const until = inHours(1);
    await snoozes.snooze(id, until);
    await snoozes.update(id, 'pending');
    expect(await conversationOf(id)).toMatchObject({ snoozedUntil: until });
  });

  test('needs a time within a year and a conversation that is not closed', async ({
    snoozes,
    connection,
  }) => {
    const id = await makeConversation(connection, { status: 'open' });
    const closed = await makeConversation(connection, { status: 'closed' });
    await expect(snoozes.snooze(id, inHours(-1))).rejects.toMatchObject(refusal('until'));
    await expect(snoozes.snooze(id, inHours(24 * 400))).rejects.toMatchObject(refusal('until'));
    await expect(snoozes.snooze(closed, inHours(1))).rejects.toMatchObject(refusal('status'));
    expect(await conversationOf(id)).toMatchObject({ status: 'open', snoozedUntil: null });
  });
});

describe('due snoozes', () => {
  test('reopen each conversation once at the top of the list, with two workers', async ({ snoozes }) => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => snoozes.due()));
    const before = new Date();
    const done = await Promise.all([endSnoozes(), endSnoozes({ batch: 2 })]);
    expect(done.reduce((sum, count) => sum + count)).toBe(5);
    for (const id of ids) {
      const { status, snoozedUntil, lastMessageAt } = await conversationOf(id);
      expect([status, snoozedUntil]).toEqual(['open', null]);
      expect(lastMessageAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(await timelineOf(id)).toEqual([{ kind: 'snooze_ended', actorKind: 'automatic', data: {} }]);
    }
    const events = await snoozes.statusEvents();
    expect(events.map(({ conversation }) => conversation.id).sort()).toEqual(ids.toSorted());
  });

  test('leave out later ones and merged, spam and deleted conversations', async ({ snoozes, connection }) => {
    const id = await makeConversation(connection, { status: 'open' });
    await snoozes.snooze(id, inHours(1));
    const merged = await snoozes.due();
    await db().conversation.update({ where: { id: merged }, data: { mergedIntoId: id } });
    const removed: string[] = [];
    for (const removal of ['spam', 'deleted'] as const) {
      const one = await snoozes.due();
      await db().conversation.update({ where: { id: one }, data: { removal, removedAt: new Date() } });
      removed.push(one);
    }
    expect([await endSnoozes(), await snoozes.listed(), await snoozes.count()]).toEqual([0, [id], 1]);
    for (const one of [id, merged, ...removed]) expect((await conversationOf(one)).status).toBe('pending');
  });

  test('and an answer of the contact at the same time reopen a conversation once', async ({
    snoozes,
    connection,
  }) => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => snoozes.due()));
    const answer = (conversationId: string) =>
      receiveMessage(...incoming(connection.workspaceId, { conversationId }));
    await Promise.all([endSnoozes(), ...ids.map(answer), endSnoozes()]);
    for (const id of ids) {
      expect(await conversationOf(id)).toMatchObject({ status: 'open', snoozedUntil: null });
      expect(await timelineOf(id)).toMatchObject([{ kind: 'snooze_ended' }]);
    }
    expect(await snoozes.statusEvents()).toHaveLength(5);
  });
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const conversationOf = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });
const refusal = (field: string) => ({ errors: { [field]: [expect.any(String)] } });

async function snoozesOf(connection: Connection) {
  const { workspaceId, teammate } = connection;
  const actor = { kind: 'teammate', teammate } as const;
  const screens = await signInTeammate(teammate);
  return {
    snooze: (id: string, until: Date | null) => snoozeConversation({ workspaceId, id, actor, until }),
    update: (id: string, status: 'open' | 'pending' | 'solved' | 'closed') =>
      updateConversation({ workspaceId, id, actor, changes: { status } }),
    due: () =>
      makeConversation(connection, { status: 'pending', snoozedUntil: new Date(Date.now() - 1_000) }),
    listed: async () =>
      (await (await screens()).inbox.list({ status: 'pending', snoozed: 'yes' })).rows.map(({ id }) => id),
    shown: async (id: string) => (await (await screens()).conversations.get({ id }))?.conversation.items,
    count: async () => (await (await screens()).inbox.viewCounts()).snoozed.count,
    statusEvents: () => recordedEventsOf(workspaceId, 'conversation.status_changed'),
  };
}
