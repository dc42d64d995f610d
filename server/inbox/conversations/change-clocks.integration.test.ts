import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { type ClockChange, changeClocks } from '#server/inbox/conversations/sla-clocks.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

type Clock = Partial<Prisma.SlaClockUncheckedCreateInput>;

withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let conversationId: string;
beforeAll(async () => {
  connection = await makeConnection();
});
beforeEach(async () => {
  conversationId = await makeConversation(connection);
});

/** So many minutes after a clock was started. */
const minute = (minutes: number) => new Date(Date.parse('2026-11-21T06:00:00.123Z') + minutes * 60_000);
/** When what follows happens. */
const NOW = minute(30);

/** Starts a clock at minute 0 that is due at minute 60, unless said otherwise. */
async function makeClock(columns: Clock = {}): Promise<string> {
  const { workspaceId } = connection;
  const data = { workspaceId, conversationId, startedAt: minute(0), dueAt: minute(60), ...columns };
  return (await db().slaClock.create({ data: { kind: 'resolution', ...data } })).id;
}
const change = (clock: ClockChange, now = NOW) =>
  inTransaction((tx) => changeClocks(tx, { conversationId, clock, now }));
const clocks = () =>
  db().slaClock.findMany({
    where: { conversationId },
    orderBy: { startedAt: 'asc' },
    select: { kind: true, dueAt: true, pausedAt: true, stoppedAt: true, breachedAt: true },
  });

const RUNNING = { dueAt: minute(60), pausedAt: null, stoppedAt: null, breachedAt: null };
const HELD = { ...RUNNING, pausedAt: minute(10) };
const STOPPED = { ...RUNNING, stoppedAt: minute(10) };
const LATER = { ...RUNNING, dueAt: minute(80) };
const dueAt = minute(20);
const OVERDUE = { ...RUNNING, dueAt };
const BREACHED = { ...OVERDUE, breachedAt: dueAt };

describe('the clock of the resolution', () => {
  test.each<[string, Clock, ClockChange, Clock]>([
    ['is held while it runs', RUNNING, 'pause', { ...RUNNING, pausedAt: NOW }],
    ['stays held since it was', HELD, 'pause', HELD],
    ['that was stopped is held from when it stopped', STOPPED, 'pause', HELD],
    ['goes on running', RUNNING, 'resume', RUNNING],
    ['that was held runs on, due later by the pause', HELD, 'resume', LATER],
    ['that was stopped runs on, due later by as long', STOPPED, 'resume', LATER],
    ['stops now', RUNNING, 'stop', { ...RUNNING, stoppedAt: NOW }],
    ['that was held stops at the moment at which it was', HELD, 'stop', STOPPED],
    ['that was stopped stays so', STOPPED, 'stop', STOPPED],
    ['takes no notice of a first response', RUNNING, 'first_response_given', RUNNING],
    ['that is overdue is breached when it stops', OVERDUE, 'stop', { ...BREACHED, stoppedAt: NOW }],
    ['that is overdue is breached when it is held', OVERDUE, 'pause', { ...BREACHED, pausedAt: NOW }],
    ['that is overdue runs on, for others to find', OVERDUE, 'resume', OVERDUE],
    ['that was held in time is not breached', { ...HELD, dueAt }, 'stop', { ...STOPPED, dueAt }],
    [
      'that is due right now is not',
      { ...RUNNING, dueAt: NOW },
      'pause',
      { ...HELD, dueAt: NOW, pausedAt: NOW },
    ],
    ['stays breached since it was', BREACHED, 'pause', { ...BREACHED, pausedAt: NOW }],
    [
      'stays breached when it runs on',
      { ...BREACHED, pausedAt: minute(25) },
      'resume',
      { ...BREACHED, dueAt: minute(25) },
    ],
  ])('%s', async (_what, was, what, is) => {
    await makeClock(was);
    await change(what);
    expect(await clocks()).toEqual([{ kind: 'resolution', ...is }]);
  });

  test('that is held and let run on again and again is due later by all the pauses', async () => {
    await makeClock();
    await change('pause', minute(5));
    await change('resume', minute(12));
    await change('stop', minute(20));
    await change('pause', minute(30));
    await change('resume', minute(45));
    expect(await clocks()).toEqual([{ kind: 'resolution', ...RUNNING, dueAt: minute(60 + 7 + 25) }]);
  });
});

describe('the clock of the first response', () => {
  const kind = 'first_response';
  test.each<[ClockChange, Clock]>([
    ['pause', RUNNING],
    ['resume', RUNNING],
    ['stop', { ...RUNNING, stoppedAt: NOW }],
    ['first_response_given', { ...RUNNING, stoppedAt: NOW }],
  ])('on %s, while it runs', async (what, is) => {
    await makeClock({ kind });
    await change(what);
    expect(await clocks()).toEqual([{ kind, ...is }]);
  });

  test('that is overdue is breached when the response comes', async () => {
    await makeClock({ kind, ...OVERDUE });
    await change('first_response_given');
    expect(await clocks()).toEqual([{ kind, ...BREACHED, stoppedAt: NOW }]);
  });

  test.each<ClockChange>(['pause', 'resume', 'stop', 'first_response_given'])(
    'that has stopped stays so on %s',
    async (what) => {
      await makeClock({ kind, ...STOPPED });
      await change(what);
      expect(await clocks()).toEqual([{ kind, ...STOPPED }]);
    },
  );
});

test('of several clocks of the resolution only the newest is held and runs on', async () => {
  await makeClock({ stoppedAt: minute(-10), startedAt: minute(-60) });
  await makeClock();
  await change('pause');
  await change('resume', minute(40));
  expect(await clocks()).toMatchObject([
    { stoppedAt: minute(-10), dueAt: minute(60) },
    { ...RUNNING, dueAt: minute(70) },
  ]);
});

test('clocks of other conversations are left alone, and where there are none nothing happens', async () => {
  await makeClock();
  const other = conversationId;
  conversationId = await makeConversation(connection);
  for (const what of ['pause', 'resume', 'stop', 'first_response_given'] as const) await change(what);
  expect(await clocks()).toEqual([]);
  conversationId = other;
  expect(await clocks()).toEqual([{ kind: 'resolution', ...RUNNING }]);
});
