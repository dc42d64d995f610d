import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { giveConversations } from '#test/fixtures/team-rows.ts';

const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const untilDay = (day: string | null) => ({ backOn: day, timeZone: 'UTC' });

describe('an absence', () => {
  test('of oneself is shown to everyone in lists and choices, and ends by itself', async ({
    teammates: { agent },
    workspaceId,
    screensOf,
    conversation,
  }) => {
    const own = await screensOf('agent');
    const others = await screensOf('admin');
    const absences = async () => {
      const opened = await others.conversations.get({ id: conversation });
      const lists = [
        (await others.teammates.list()).teammates,
        opened?.actions.teammates ?? [],
        opened?.composer.mentionable ?? [],
        (await others.bulk.choices()).teammates,
      ];
      return lists.map((list) => list.find(({ id }) => id === agent.id)?.away);
    };
    await own.teammates.setAway({ userId: agent.id, absence: { backOn: dayIn(5), timeZone: 'Asia/Tokyo' } });
    const away = { until: new Date(Date.parse(`${dayIn(5)}T00:00:00+09:00`)) };
    expect(await absences()).toEqual([away, away, away, away]);
    await own.teammates.setAway({ userId: agent.id, absence: untilDay(null) });
    expect(await absences()).toEqual(Array(4).fill({ until: null }));
    const where = { workspaceId, userId: agent.id };
    await db().member.updateMany({ where, data: { awayUntil: new Date(Date.now() - 1_000) } });
    expect(await absences()).toEqual([null, null, null, null]);
    await own.teammates.setAway({ userId: agent.id, absence: untilDay(null) });
    await own.teammates.setAway({ userId: agent.id, absence: null });
    expect(await absences()).toEqual([null, null, null, null]);
    const entries = await db().auditEntry.findMany({
      where: { workspaceId, kind: { startsWith: 'teammate_' } },
    });
    expect(entries.filter(({ kind }) => kind === 'teammate_away')).toHaveLength(3);
    expect(entries.filter(({ kind }) => kind === 'teammate_back')).toHaveLength(1);
  });

  test('of others is set by owners and admins only', async ({ teammates: { agent, viewer }, screensOf }) => {
    const [own, admin] = [await screensOf('agent'), await screensOf('admin')];
    await expect(own.teammates.setAway({ userId: viewer.id, absence: untilDay(null) })).rejects.toThrow(
      'Only owners and admins of the workspace can do this.',
    );
    await admin.teammates.setAway({ userId: viewer.id, absence: untilDay(null) });
    await expect(admin.teammates.setAway({ userId: 'no-such', absence: null })).rejects.toThrow(
      'The teammate was not found.',
    );
    const rows = (await own.teammates.list()).teammates;
    expect(rows.filter(({ maySetAway }) => maySetAway).map(({ id }) => id)).toEqual([agent.id]);
  });

  test.for(['2020-01-01', dayIn(0), dayIn(400), '2027-02-30', '0000-01-01', 'tomorrow', ''])(
    'until %j is refused, or without an end',
    async (day, { teammates: { agent }, screensOf }) => {
      const { teammates } = await screensOf('agent');
      const saving = teammates.setAway({ userId: agent.id, absence: untilDay(day) });
      // A field that is left empty.
      if (day === '') return expect(await saving).toBeUndefined();
      expect(await errorsOf(saving)).toEqual({
        backOn: ['Choose a day after today, within the next year.'],
      });
    },
  );

  test('of an assignee lets a missed target also notify the team, and the conversation stays assigned', async ({
    teammates: { agent, admin, owner },
    workspaceId,
    screensOf,
  }) => {
    const { teams, teammates } = await screensOf('admin');
    const { id: teamId } = await teams.create({ name: 'Billing' });
    await teams.addMember({ id: teamId, userId: owner.id });
    const recipientsOf = async () => {
      const [conversationId = ''] = await giveConversations(workspaceId, teamId, 1, {
        assigneeId: agent.id,
        assignedAt: new Date(),
      });
      const dueAt = new Date(Date.now() - 60_000);
      await db().slaClock.create({ data: { workspaceId, conversationId, kind: 'resolution', dueAt } });
      await breachClocks();
      const { assigneeId } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
      const notified = await db().notification.findMany({ where: { conversationId, kind: 'sla_breached' } });
      return { assigneeId, notified: notified.map(({ userId }) => userId).sort() };
    };
    expect(await recipientsOf()).toEqual({ assigneeId: agent.id, notified: [agent.id] });
    await teammates.setAway({ userId: agent.id, absence: untilDay(dayIn(3)) });
    expect(await recipientsOf()).toEqual({ assigneeId: agent.id, notified: [agent.id, owner.id].sort() });
    expect(admin.id).not.toBe(owner.id);
  });
});
