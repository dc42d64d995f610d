import { describe, expect } from 'vitest';
import type { BusinessHours } from '#server/core/business-hours.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { recountClocks } from '#server/inbox/conversations/recount-clocks.ts';
import { type ClockChange, changeClocks } from '#server/inbox/conversations/sla-clocks.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';

// Business hours are from nine to five, Monday to Friday, in Berlin. Friday 27 November 2026 is in winter time.
const OFFICE: BusinessHours = {
  timeZone: 'Europe/Berlin',
  week: Array.from({ length: 7 }, (_day, day) => (day < 5 ? [[540, 1_020]] : [])),
  holidays: [],
};
const ALL_DAY: BusinessHours = { ...OFFICE, week: OFFICE.week.map(() => [[0, 1_440]]) };
const at = (time: string) => new Date(`2026-${time}:00+01:00`);
const FRIDAY = at('11-27T16:30');

const test = conversationTest
  .extend('openOffice', ({ connection: { workspaceId } }) => async () => {
    const data = { businessHours: OFFICE, slaFirstResponseMinutes: 60, slaResolutionMinutes: 120 };
    await db().workspace.update({ where: { id: workspaceId }, data });
  })
  /** Gives the team of the conversation its own hours. */
  .extend('setTeamHours', ({ conversation }) => async (businessHours: BusinessHours) => {
    await db().team.updateMany({
      where: { conversations: { some: { id: conversation } } },
      data: { businessHours },
    });
  });

const change = (conversationId: string, clock: ClockChange, now: Date) =>
  inTransaction((tx) => changeClocks(tx, { conversationId, clock, now }));

async function dueTimes(conversationId: string) {
  const clocks = await db().slaClock.findMany({ where: { conversationId }, orderBy: { kind: 'asc' } });
  const { nextDueAt } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
  return { due: clocks.map(({ dueAt }) => dueAt), nextDueAt };
}

describe('the clocks of a conversation', () => {
  test('that starts shortly before closing time are due on Monday', async ({ openOffice, conversation }) => {
    await openOffice();
    await change(conversation, 'start', FRIDAY);
    expect(await dueTimes(conversation)).toEqual({
      due: [at('11-30T09:30'), at('11-30T10:30')],
      nextDueAt: at('11-30T09:30'),
    });
  });

  test('count the hours of its team', async ({ openOffice, setTeamHours, conversation }) => {
    await openOffice();
    await setTeamHours(ALL_DAY);
    await change(conversation, 'start', FRIDAY);
    expect((await dueTimes(conversation)).due).toEqual([at('11-27T17:30'), at('11-27T18:30')]);
  });

  test('count the hours of the workspace once the team is deleted', async ({
    openOffice,
    setTeamHours,
    conversation,
    connection: { workspaceId },
  }) => {
    await openOffice();
    await setTeamHours(ALL_DAY);
    await change(conversation, 'start', FRIDAY);
    await db().team.updateMany({ where: { workspaceId }, data: { deletedAt: new Date() } });
    await recountClocks({ workspaceId });
    expect((await dueTimes(conversation)).due).toEqual([at('11-30T09:30'), at('11-30T10:30')]);
  });

  test('lose no business time while it is pending', async ({ openOffice, conversation }) => {
    await openOffice();
    await change(conversation, 'start', FRIDAY);
    // 20 of 120 minutes have passed.
    await change(conversation, 'pause', at('11-27T16:50'));
    await change(conversation, 'resume', at('12-01T16:00'));
    expect((await dueTimes(conversation)).due[1]).toEqual(at('12-02T09:40'));
    await change(conversation, 'pause', at('12-01T22:00'));
    await change(conversation, 'resume', at('12-03T08:00'));
    expect((await dueTimes(conversation)).due[1]).toEqual(at('12-03T09:40'));
  });

  test('move to the hours of another team at once, and back', async ({
    openOffice,
    returns,
    conversation,
    api,
  }) => {
    await openOffice();
    await change(conversation, 'start', FRIDAY);
    const before = await dueTimes(conversation);
    await db().team.update({ where: { id: returns.id }, data: { businessHours: ALL_DAY } });
    expect((await api('PATCH', `/conversations/${conversation}`, { team_id: returns.id })).status).toBe(200);
    expect(await dueTimes(conversation)).toEqual({
      due: [at('11-27T17:30'), at('11-27T18:30')],
      nextDueAt: at('11-27T17:30'),
    });
    await api('PATCH', `/conversations/${conversation}`, { team_id: 'none' });
    expect(await dueTimes(conversation)).toEqual(before);
  });

  test('move once when the same change also makes it pending', async ({
    openOffice,
    returns,
    conversation,
    api,
  }) => {
    await openOffice();
    await change(conversation, 'start', FRIDAY);
    await db().team.update({ where: { id: returns.id }, data: { businessHours: ALL_DAY } });
    await api('PATCH', `/conversations/${conversation}`, { team_id: returns.id, status: 'pending' });
    // The paused clock follows when it resumes.
    expect((await dueTimes(conversation)).due).toEqual([at('11-27T17:30'), at('11-30T10:30')]);
  });
});

describe('a change of business hours', () => {
  test('moves running clocks, as if they had always applied', async ({
    openOffice,
    conversation,
    connection: { workspaceId },
  }) => {
    await openOffice();
    await change(conversation, 'start', FRIDAY);
    const holiday = { ...OFFICE, holidays: [{ date: '2026-11-30', name: 'Founders’ Day' }] };
    await db().workspace.update({ where: { id: workspaceId }, data: { businessHours: holiday } });
    await recountClocks({ workspaceId });
    await recountClocks({ workspaceId });
    expect(await dueTimes(conversation)).toEqual({
      due: [at('12-01T09:30'), at('12-01T10:30')],
      nextDueAt: at('12-01T09:30'),
    });
  });

  test('leaves missed and stopped clocks', async ({ conversation, connection: { workspaceId } }) => {
    const data = { slaFirstResponseMinutes: 60, slaResolutionMinutes: 120 };
    await db().workspace.update({ where: { id: workspaceId }, data });
    await change(conversation, 'start', FRIDAY);
    await change(conversation, 'first_response_given', at('11-27T16:40'));
    await db().slaClock.updateMany({
      where: { conversationId: conversation, kind: 'resolution' },
      data: { breachedAt: at('11-27T18:30') },
    });
    const before = await dueTimes(conversation);
    await db().workspace.update({ where: { id: workspaceId }, data: { businessHours: OFFICE } });
    await recountClocks({ workspaceId });
    expect(await dueTimes(conversation)).toEqual(before);
  });

  test('moves clocks that an earlier release has started', async ({
    conversation,
    connection: { workspaceId },
  }) => {
    await db().slaClock.create({
      data: {
        workspaceId,
        conversationId: conversation,
        kind: 'first_response',
        startedAt: FRIDAY,
        dueAt: at('11-27T17:30'),
      },
    });
    await db().workspace.update({ where: { id: workspaceId }, data: { businessHours: OFFICE } });
    await recountClocks({ workspaceId });
    expect((await dueTimes(conversation)).due).toEqual([at('11-30T09:30')]);
    await db().workspace.update({ where: { id: workspaceId }, data: { businessHours: ALL_DAY } });
    await recountClocks({ workspaceId });
    expect((await dueTimes(conversation)).due).toEqual([at('11-27T17:30')]);
  });

  test('waits for changes of the conversation, in either order', async ({
    openOffice,
    conversation,
    connection: { workspaceId },
    api,
  }) => {
    await openOffice();
    await change(conversation, 'start', FRIDAY);
    await db().workspace.update({ where: { id: workspaceId }, data: { businessHours: ALL_DAY } });
    await Promise.all([
      ...Array.from({ length: 4 }, (_, index) =>
        api('PATCH', `/conversations/${conversation}`, { status: index % 2 ? 'open' : 'pending' }),
      ),
      ...Array.from({ length: 4 }, () => recountClocks({ workspaceId })),
    ]);
    await api('PATCH', `/conversations/${conversation}`, { status: 'open' });
    expect((await dueTimes(conversation)).due[0]).toEqual(at('11-27T17:30'));
  });
});
