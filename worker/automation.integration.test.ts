import { beforeAll, describe, expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { closeSolved } from '#server/inbox/conversations/close-solved.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConversation, timelineOf } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

withTestService();

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const conversationOf = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });
const notificationsOf = (userId: string) => db().notification.findMany({ where: { userId } });

describe('decisions, conversations and contacts 4: solved conversations', () => {
  let stage: Awaited<ReturnType<typeof makeConnection>>;
  beforeAll(async () => {
    stage = await makeConnection();
    const data = { closeSolvedAfterDays: 7 };
    await db().workspace.update({ where: { id: stage.workspaceId }, data });
  });
  const solved = (days: number, columns = {}) =>
    makeConversation(stage, { status: 'solved', statusChangedAt: daysAgo(days), ...columns });

  test('close after the workspace’s days, automatically, and two workers at once close none twice', async () => {
    const due = await Promise.all([8, 30, 7.01].map((days) => solved(days)));
    const young = await solved(6.9);
    const merged = await solved(30, { mergedIntoId: young });
    const closed = await Promise.all([closeSolved(), closeSolved(), closeSolved({ batch: 2 })]);
    expect(closed.reduce((sum, count) => sum + count)).toBe(3);
    for (const id of due) {
      expect((await conversationOf(id)).status).toBe('closed');
      expect(await timelineOf(id)).toEqual([
        { kind: 'status_changed', actorKind: 'automatic', data: { from: 'solved', to: 'closed' } },
      ]);
    }
    for (const id of [young, merged]) expect((await conversationOf(id)).status).toBe('solved');
    const events = await recordedEventsOf(stage.workspaceId, 'conversation.status_changed');
    expect(events.map(({ conversation }) => conversation.id).sort()).toEqual(due.toSorted());
    expect(events).toMatchObject(due.map(() => ({ previous_status: 'solved' })));
  });

  test('stay solved in a workspace that closes none, and in one that is deleted', async () => {
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

  test('that are reopened while the look is on stay open', async () => {
    const id = await solved(9);
    const { workspaceId } = stage;
    const [changed, reopened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reopening = inTransaction(async (tx) => {
      await tx.conversation.update({ where: { id }, data: { status: 'open' } });
      changed.resolve();
      await reopened.promise;
    });
    await changed.promise;
    const closing = closeSolved();
    await until('the closing waits', async () => (await countLockWaiters()) > 0);
    reopened.resolve();
    await reopening;
    expect(await closing).toBe(0);
    expect(await db().conversation.findFirst({ where: { id, workspaceId } })).toMatchObject({
      status: 'open',
    });
  });

  test('that are left when the time is up close the next time', async () => {
    const ids = [await solved(20), await solved(21)];
    expect(await closeSolved({ runMs: -1 })).toBe(0);
    expect(await closeSolved({ batch: 1 })).toBe(2);
    for (const id of ids) expect((await conversationOf(id)).status).toBe('closed');
  });
});

describe('time limits', () => {
  let stage: Awaited<ReturnType<typeof makeConnection>>;
  beforeAll(async () => {
    stage = await makeConnection();
  });
  async function overdue(columns: Prisma.ConversationUncheckedUpdateInput = {}, clock = {}): Promise<string> {
    const id = await makeConversation(stage, { channel: 'webchat' });
    await db().conversation.update({ where: { id }, data: columns });
    const { workspaceId } = stage;
    const dueAt = new Date(Date.now() - 60_000);
    await db().slaClock.create({
      data: { workspaceId, conversationId: id, kind: 'first_response', dueAt, ...clock },
    });
    return id;
  }
  const clockOf = (conversationId: string) => db().slaClock.findFirstOrThrow({ where: { conversationId } });
  const NOBODY = { assigneeId: null, assignedAt: null };

  test('that are over are breached once, also by two workers, and the assignee is notified', async () => {
    const id = await overdue();
    const counts = await Promise.all([breachClocks(), breachClocks()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    const { breachedAt, dueAt } = await clockOf(id);
    expect(breachedAt).toEqual(dueAt);
    const data = { limit: 'first_response' };
    expect(await timelineOf(id)).toEqual([{ kind: 'sla_breached', actorKind: 'automatic', data }]);
    expect(await notificationsOf(stage.teammate.id)).toMatchObject([
      { kind: 'sla_breached', conversationId: id, data },
    ]);
    expect(await recordedEvents(stage.workspaceId)).toEqual([]);
  });

  test('of an unassigned conversation are reported to its team, and without one to owners and admins', async () => {
    const { workspaceId } = stage;
    const [member, viewer, admin, other] = await Promise.all([
      addTeammate(workspaceId, 'agent'),
      addTeammate(workspaceId, 'viewer'),
      addTeammate(workspaceId, 'admin'),
      addTeammate(workspaceId, 'agent'),
    ]);
    const team = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    const ofTeam = [member, viewer].map(({ id: userId }) => ({ workspaceId, teamId: team.id, userId }));
    await db().teamMember.createMany({ data: ofTeam });
    const inTeam = await overdue({ ...NOBODY, teamId: team.id });
    const nobodys = await overdue({ ...NOBODY, teamId: null });
    expect(await breachClocks()).toBe(2);
    const notified = async (conversationId: string) => {
      const rows = await db().notification.findMany({ where: { conversationId } });
      return rows.map(({ userId }) => userId).sort();
    };
    expect(await notified(inTeam)).toEqual([member.id]);
    expect(await notified(nobodys)).toEqual([admin.id, stage.teammate.id].sort());
    expect(await notificationsOf(other.id)).toEqual([]);
  });

  test('that are not over, held, stopped or breached already are left alone', async () => {
    const past = new Date(Date.now() - 1_000);
    await overdue({}, { dueAt: new Date(Date.now() + 60_000) });
    await overdue({}, { pausedAt: past });
    await overdue({}, { stoppedAt: past });
    await overdue({}, { breachedAt: past });
    expect(await breachClocks()).toBe(0);
  });

  test('and a reply at the same moment never add two timeline entries, and the clock is breached either way', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => overdue()));
    const { workspaceId, teammate } = stage;
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

test('what is due is found by its index, however much there is that is not', async () => {
  const { workspaceId } = await makeConnection();
  await db().workspace.update({ where: { id: workspaceId }, data: { closeSolvedAfterDays: 7 } });
  await pool().query(
    `with made as (
       insert into conversations (id, workspace_id, channel, status, resolved_at, status_changed_at, updated_at)
       select gen_random_uuid(), $1, 'webchat', case when n % 2 = 0 then 'solved' else 'closed' end::conversation_status,
         now(), now() - make_interval(days => case when n % 2 = 0 then 1 else 99 end), now()
       from generate_series(1, 10000) n
       returning id
     )
     insert into sla_clocks (id, workspace_id, conversation_id, kind, started_at, due_at, stopped_at)
     select gen_random_uuid(), $1, id, 'resolution', now(), now() - interval '1 day', now() from made`,
    [workspaceId],
  );
  await pool().query('analyze conversations, sla_clocks');
  for (const look of [closeSolved, breachClocks]) {
    const [find] = await statementsOf(() => look());
    if (!find) throw new Error('Nothing was asked.');
    const { scanned, rows } = await readPlan(find);
    expect(scanned.filter((table) => table !== 'workspaces')).toEqual([]);
    expect(rows).toBeLessThan(100);
  }
});
