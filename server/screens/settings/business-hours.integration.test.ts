import { describe, expect } from 'vitest';
import type { BusinessHours } from '#server/core/business-hours.ts';
import { db } from '#server/core/database/prisma.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { auditedTeams, giveConversations } from '#test/fixtures/team-rows.ts';
import { test } from '#test/fixtures/teams-test.ts';

const HOURS: BusinessHours = {
  timeZone: 'Europe/Berlin',
  week: [[[540, 1_020]], [], [], [], [], [], []],
  holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
};

test.beforeEach(forgetJobs);

describe('business hours', () => {
  test('of a workspace and a team are saved and removed, with a job that moves due times', async ({
    workspaceId,
    screensOf,
    createTeam,
  }) => {
    const { businessHours, audit } = await screensOf('admin');
    const id = await createTeam();
    expect(await businessHours.get()).toEqual({ hours: null, teams: [{ id, name: 'Billing', hours: null }] });
    await businessHours.set({ teamId: null, hours: HOURS });
    await businessHours.set({ teamId: id, hours: { ...HOURS, timeZone: 'Asia/Tokyo' } });
    expect(await businessHours.get()).toEqual({
      hours: HOURS,
      teams: [{ id, name: 'Billing', hours: { ...HOURS, timeZone: 'Asia/Tokyo' } }],
    });
    expect(await queuedJobs()).toContainEqual({ task: 'recount-clocks', payload: { workspaceId } });
    await businessHours.set({ teamId: id, hours: null });
    await businessHours.set({ teamId: null, hours: null });
    expect(await businessHours.get()).toEqual({ hours: null, teams: [{ id, name: 'Billing', hours: null }] });
    expect((await auditedTeams(workspaceId)).map(({ kind }) => kind)).toEqual([
      'team_created',
      'team_hours_set',
      'team_hours_removed',
    ]);
    const { items } = await audit.list({});
    expect(items.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringContaining('removed the business hours'),
    );
  });

  test('that are invalid are refused by field', async ({ screensOf }) => {
    const { businessHours } = await screensOf('owner');
    const refused = (hours: BusinessHours) => errorsOf(businessHours.set({ teamId: null, hours }));
    expect(await refused({ ...HOURS, week: [] })).toEqual({
      week: ['Open on at least one day.'],
    });
    expect(await refused({ ...HOURS, timeZone: '+02:00' })).toEqual({ timeZone: ['Choose a time zone.'] });
    // Node.js ignores case, the database does not.
    expect(await refused({ ...HOURS, timeZone: 'europe/BERLIN' })).toEqual({
      timeZone: ['Choose a time zone from the list.'],
    });
    expect((await businessHours.get()).hours).toBeNull();
  });

  test('of a team that does not exist are refused', async ({ screensOf }) => {
    const { businessHours } = await screensOf('owner');
    await expect(businessHours.set({ teamId: 'no-such', hours: HOURS })).rejects.toThrow(
      'The team was not found.',
    );
  });

  test('are in every time zone that the page offers', async ({ service: _ }) => {
    const names = Intl.supportedValuesOf('timeZone');
    const [row] = await db().$queryRaw<{ missing: string[] }[]>`
      select coalesce(array_agg(name), '{}') as missing from unnest(${names}::text[]) as name
      where name not in (select name from pg_timezone_names)`;
    expect(row?.missing).toEqual([]);
  });

  test('of a team end with it: a job counts its clocks by those of the workspace', async ({
    workspaceId,
    screensOf,
    createTeam,
  }) => {
    const { businessHours, teams } = await screensOf('admin');
    const id = await createTeam();
    await giveConversations(workspaceId, id, 1);
    await businessHours.set({ teamId: id, hours: HOURS });
    await forgetJobs();
    await teams.delete({ id });
    expect(await queuedJobs()).toContainEqual({ task: 'recount-clocks', payload: { workspaceId } });
  });
});

test('an opened conversation says until when its clocks wait for business hours', async ({
  workspaceId,
  screensOf,
  conversation: id,
}) => {
  const { businessHours, conversations } = await screensOf('owner');
  // Open from tomorrow's hour on, so that now is outside.
  const now = new Date();
  const opens = Math.floor(now.getTime() / 3_600_000) * 3_600_000 + 5 * 3_600_000;
  const week = Array.from({ length: 7 }, (_day, day): [number, number][] => {
    const start = new Date(opens);
    return day === (start.getUTCDay() + 6) % 7
      ? [[start.getUTCHours() * 60, start.getUTCHours() * 60 + 60]]
      : [];
  });
  await businessHours.set({ teamId: null, hours: { timeZone: 'UTC', week, holidays: [] } });
  const dueAt = new Date(opens + 600_000);
  const clock = { workspaceId, conversationId: id, dueAt };
  await db().slaClock.create({ data: { ...clock, kind: 'first_response' } });
  await db().slaClock.create({ data: { ...clock, kind: 'resolution', pausedAt: now } });
  const opened = await conversations.get({ id });
  expect(opened?.conversation.clocks).toMatchObject([
    { kind: 'first_response', closed: { from: expect.any(Date), until: new Date(opens) } },
    { kind: 'resolution', closed: null },
  ]);
});
