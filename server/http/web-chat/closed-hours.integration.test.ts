import { expect } from 'vitest';
import type { BusinessHours } from '#server/core/business-hours.ts';
import { db } from '#server/core/database/prisma.ts';
import { screensRouter } from '#server/screens/router.ts';
import { test } from '#test/fixtures/chat-test.ts';

const HOUR_MS = 3_600_000;

/** Returns hours that are open for two hours, a number of hours from now. */
function openIn(hours: number): { hours: BusinessHours; opens: Date } {
  const opens = new Date((Math.floor(Date.now() / HOUR_MS) + hours) * HOUR_MS);
  const weekday = (opens.getUTCDay() + 6) % 7;
  const from = opens.getUTCHours() * 60;
  const week = Array.from({ length: 7 }, (_day, day): [number, number][] =>
    day === weekday ? [[from, from + 120]] : [],
  );
  return { hours: { timeZone: 'UTC', week, holidays: [] }, opens };
}

test('a visitor sees when the team is back: before the first message by the hours of the workspace, then by those of the team', async ({
  workspaceId,
  newVisitor,
}) => {
  const visitor = await newVisitor();
  const { webchat } = screensRouter.createCaller({ headers: new Headers() } as never);
  expect((await webchat.get({ workspaceId }))?.closed).toBeNull();
  const workspace = openIn(20);
  await db().workspace.update({ where: { id: workspaceId }, data: { businessHours: workspace.hours } });
  const closedUntil = (opens: Date) => ({ from: expect.any(String), until: opens.toISOString() });
  expect((await webchat.get({ workspaceId }))?.closed).toEqual(closedUntil(workspace.opens));
  expect(await visitor.see()).toMatchObject({ closed: closedUntil(workspace.opens) });

  await visitor.write();
  const team = openIn(40);
  const { id: teamId } = await db().team.create({
    data: { workspaceId, name: 'Weekend', businessHours: team.hours },
    select: { id: true },
  });
  await db().conversation.updateMany({ where: { workspaceId }, data: { teamId } });
  expect(await visitor.see()).toMatchObject({ closed: closedUntil(team.opens) });

  // While it is open, the time after it closes.
  await db().team.update({ where: { id: teamId }, data: { businessHours: openIn(0).hours } });
  const { closed } = await visitor.see();
  expect(Date.parse(closed?.from ?? '')).toBeGreaterThan(Date.now());
});

test('a visitor is told nothing of a team that stays closed for months', async ({
  workspaceId,
  newVisitor,
}) => {
  const { hours, opens } = openIn(20);
  const holidays = Array.from({ length: 14 }, (_, week) => ({
    date: new Date(opens.getTime() + week * 7 * 24 * HOUR_MS).toISOString().slice(0, 10),
    name: 'Holiday',
  }));
  await db().workspace.update({
    where: { id: workspaceId },
    data: { businessHours: { ...hours, holidays } },
  });
  expect(await (await newVisitor()).see()).toMatchObject({ closed: null });
});
