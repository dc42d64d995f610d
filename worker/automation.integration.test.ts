import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { closeSolved } from '#server/inbox/conversations/close-solved.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { type ConversationColumns, makeConversation, timelineOf } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

const test = serviceTest
  .extend('closing', { scope: 'file' }, ({ service: _ }) => makeClosing())
  .extend('sla', { scope: 'file' }, ({ service: _ }) => makeOverdue());

describe('docs/rulings.md 3.4: solved conversations', () => {
  test('close automatically after the workspace’s days, and concurrent workers close none twice', async ({
    closing,
  }) => {
    const due = await Promise.all([8, 30, 7.01].map((days) => closing.solved(days)));
    const young = await closing.solved(6.9);
    const merged = await closing.solved(30, { mergedIntoId: young });
    const closed = await Promise.all([closeSolved(), closeSolved(), closeSolved({ batch: 2 })]);
    expect(closed.reduce((sum, count) => sum + count)).toBe(3);
    for (const id of due) {
      expect((await conversationOf(id)).status).toBe('closed');
      expect(await timelineOf(id)).toEqual([
        {
          kind: 'status_changed',
          actorKind: 'automatic',
          data: { from: 'solved', to: 'closed', because: 'stayed_solved' },
        },
      ]);
    }
    for (const id of [young, merged]) expect((await conversationOf(id)).status).toBe('solved');
    const events = await recordedEventsOf(closing.workspaceId, 'conversation.status_changed');
    expect(events.map(({ conversation }) => conversation.id).sort()).toEqual(due.toSorted());
    expect(events).toMatchObject(due.map(() => ({ previous_status: 'solved' })));
  });

  test('stay solved in a workspace without that setting, and in a deleted workspace', async () => {
    const others = [await makeConnection(), await makeConnection()] as const;
    await db().workspace.update({
      where: { id: others[1].workspaceId },
      data: { closeSolvedAfterDays: 1, deletedAt: new Date() },
    });
    const columns = { status: 'solved', statusChangedAt: daysAgo(999) } as const;
    const ids = [await makeConversation(others[0], columns), await makeConversation(others[1], columns)];
    expect(await closeSolved()).toBe(0);
    for (const id of ids) expect((await conversationOf(id)).status).toBe('solved');
  });

  test('that are reopened during a run stay open', async ({ closing }) => {
    const id = await closing.solved(9);
    const { workspaceId } = closing;
    const [changed, reopened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reopening = inTransaction(async (tx) => {
      await tx.conversation.update({ where: { id }, data: { status: 'open' } });
      changed.resolve();
      await reopened.promise;
    });
    await changed.promise;
    const run = closeSolved();
    await until('the closing waits for the row lock', async () => (await countLockWaiters()) > 0);
    reopened.resolve();
    await reopening;
    expect(await run).toBe(0);
    expect(await db().conversation.findFirst({ where: { id, workspaceId } })).toMatchObject({
      status: 'open',
    });
  });

  test('that remain when the time is up close in the next run', async ({ closing }) => {
    const ids = [await closing.solved(20), await closing.solved(21)];
    expect(await closeSolved({ runMs: -1 })).toBe(0);
    expect(await closeSolved({ batch: 1 })).toBe(2);
    for (const id of ids) expect((await conversationOf(id)).status).toBe('closed');
  });
});

describe('SLA targets', () => {
  test('that have passed are breached once, even by two workers, and the assignee is notified', async ({
    sla,
  }) => {
    const id = await sla.overdue();
    const counts = await Promise.all([breachClocks(), breachClocks()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    const { breachedAt, dueAt } = await clockOf(id);
    expect(breachedAt).toEqual(dueAt);
    const data = { limit: 'first_response' };
    expect(await timelineOf(id)).toEqual([{ kind: 'sla_breached', actorKind: 'automatic', data }]);
    expect(await notificationsOf(sla.teammate.id)).toMatchObject([
      { kind: 'sla_breached', conversationId: id, data },
    ]);
    expect(await recordedEvents(sla.workspaceId)).toEqual([]);
  });

  test('of an unassigned conversation are reported to its team, or without a team to owners and admins', async ({
    sla,
  }) => {
    const { workspaceId } = sla;
    const [member, viewer, admin, other] = await Promise.all([
      addTeammate(workspaceId, 'agent'),
      addTeammate(workspaceId, 'viewer'),
      addTeammate(workspaceId, 'admin'),
      addTeammate(workspaceId, 'agent'),
    ]);
    const team = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    const ofTeam = [member, viewer].map(({ id: userId }) => ({ workspaceId, teamId: team.id, userId }));
    await db().teamMember.createMany({ data: ofTeam });
    const inTeam = await sla.overdue({ ...NOBODY, teamId: team.id });
    const withoutTeam = await sla.overdue({ ...NOBODY, teamId: null });
    expect(await breachClocks()).toBe(2);
    const notified = async (conversationId: string) => {
      const rows = await db().notification.findMany({ where: { conversationId } });
      return rows.map(({ userId }) => userId).sort();
    };
    expect(await notified(inTeam)).toEqual([member.id]);
    expect(await notified(withoutTeam)).toEqual([admin.id, sla.teammate.id].sort());
    expect(await notificationsOf(other.id)).toEqual([]);
  });

  test('that have not passed, are paused, stopped or already breached stay unchanged', async ({ sla }) => {
    const past = new Date(Date.now() - 1_000);
    await sla.overdue({}, { dueAt: new Date(Date.now() + 60_000) });
    await sla.overdue({}, { pausedAt: past });
    await sla.overdue({}, { stoppedAt: past });
    await sla.overdue({}, { breachedAt: past });
    expect(await breachClocks()).toBe(0);
  });

  test('and concurrent replies add at most one timeline entry, and the clock is always breached', async ({
    sla,
  }) => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => sla.overdue()));
    const { workspaceId, teammate } = sla;
    const actor = { kind: 'teammate', teammate } as const;
    await Promise.all([
      breachClocks(),
      ...ids.map((id) => sendReply({ workspaceId, id, actor, content: 'Hello' })),
      breachClocks(),
    ]);
    for (const id of ids) {
      const { breachedAt, dueAt, stoppedAt } = await clockOf(id);
      expect([breachedAt, stoppedAt]).toEqual([dueAt, expect.any(Date)]);
      const notified = (await timelineOf(id)).filter(({ kind }) => kind === 'sla_breached');
      expect(notified.length).toBeLessThanOrEqual(1);
    }
    expect(await breachClocks()).toBe(0);
  });
});

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const conversationOf = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });
const notificationsOf = (userId: string) => db().notification.findMany({ where: { userId } });
const clockOf = (conversationId: string) => db().slaClock.findFirstOrThrow({ where: { conversationId } });
const NOBODY = { assigneeId: null, assignedAt: null };

/** Connects a workspace whose solved conversations close after seven days. `solved` creates one of them. */
async function makeClosing() {
  const connection = await makeConnection();
  const data = { closeSolvedAfterDays: 7 };
  await db().workspace.update({ where: { id: connection.workspaceId }, data });
  const solved = (days: number, columns: ConversationColumns = {}) =>
    makeConversation(connection, { status: 'solved', statusChangedAt: daysAgo(days), ...columns });
  return { ...connection, solved };
}

/** Connects a workspace. `overdue` creates a conversation whose clock has run out. */
async function makeOverdue() {
  const connection = await makeConnection();
  const { workspaceId } = connection;
  async function overdue(columns: Prisma.ConversationUncheckedUpdateInput = {}, clock = {}): Promise<string> {
    const id = await makeConversation(connection, { channel: 'webchat' });
    await db().conversation.update({ where: { id }, data: columns });
    const dueAt = new Date(Date.now() - 60_000);
    await db().slaClock.create({
      data: { workspaceId, conversationId: id, kind: 'first_response', dueAt, ...clock },
    });
    return id;
  }
  return { ...connection, overdue };
}
