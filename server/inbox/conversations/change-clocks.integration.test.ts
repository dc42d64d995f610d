import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { type ClockChange, changeClocks } from '#server/inbox/conversations/sla-clocks.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';

/** Returns the timestamp that is a number of minutes after the clock was started. */
const minute = (minutes: number) => new Date(Date.parse('2026-11-21T06:00:00.123Z') + minutes * 60_000);
/** The time of the change. */
const NOW = minute(30);

const RUNNING = { dueAt: minute(60), pausedAt: null, stoppedAt: null, breachedAt: null };
const PAUSED = { ...RUNNING, pausedAt: minute(10) };
const STOPPED = { ...RUNNING, stoppedAt: minute(10) };
const LATER = { ...RUNNING, dueAt: minute(80) };
const dueAt = minute(20);
const OVERDUE = { ...RUNNING, dueAt };
const BREACHED = { ...OVERDUE, breachedAt: dueAt };

describe('the resolution clock', () => {
  test.for<[string, Clock, ClockChange, Clock]>([
    ['is paused while running', RUNNING, 'pause', { ...RUNNING, pausedAt: NOW }],
    ['keeps the time of an earlier pause', PAUSED, 'pause', PAUSED],
    ['is paused from the time when it stopped', STOPPED, 'pause', PAUSED],
    ['keeps running', RUNNING, 'resume', RUNNING],
    ['resumes after a pause, due later by its length', PAUSED, 'resume', LATER],
    ['resumes after a stop, due later by its length', STOPPED, 'resume', LATER],
    ['stops at the time of the change', RUNNING, 'stop', { ...RUNNING, stoppedAt: NOW }],
    ['stops at the time of its pause', PAUSED, 'stop', STOPPED],
    ['stays stopped', STOPPED, 'stop', STOPPED],
    ['is not changed by a first response', RUNNING, 'first_response_given', RUNNING],
    ['is breached when it stops overdue', OVERDUE, 'stop', { ...BREACHED, stoppedAt: NOW }],
    ['is breached when it is paused overdue', OVERDUE, 'pause', { ...BREACHED, pausedAt: NOW }],
    ['stays unbreached when it is overdue and keeps running', OVERDUE, 'resume', OVERDUE],
    ['is not breached when it was paused in time', { ...PAUSED, dueAt }, 'stop', { ...STOPPED, dueAt }],
    [
      'is not breached when it is due at the time of the change',
      { ...RUNNING, dueAt: NOW },
      'pause',
      { ...PAUSED, dueAt: NOW, pausedAt: NOW },
    ],
    ['stays breached when it is paused', BREACHED, 'pause', { ...BREACHED, pausedAt: NOW }],
    [
      'stays breached when it resumes',
      { ...BREACHED, pausedAt: minute(25) },
      'resume',
      { ...BREACHED, dueAt: minute(25) },
    ],
  ])('%s', async ([_what, was, what, is], { connection, conversation: conversationId }) => {
    await makeClock(connection, conversationId, was);
    await change(conversationId, what);
    expect(await clocks(conversationId)).toEqual([{ kind: 'resolution', ...is }]);
  });

  test('is due later by the sum of all its pauses', async ({ connection, conversation: conversationId }) => {
    await makeClock(connection, conversationId);
    await change(conversationId, 'pause', minute(5));
    await change(conversationId, 'resume', minute(12));
    await change(conversationId, 'stop', minute(20));
    await change(conversationId, 'pause', minute(30));
    await change(conversationId, 'resume', minute(45));
    expect(await clocks(conversationId)).toEqual([
      { kind: 'resolution', ...RUNNING, dueAt: minute(60 + 7 + 25) },
    ]);
  });
});

describe('the first response clock', () => {
  const kind = 'first_response';
  test.for<[ClockChange, Clock]>([
    ['pause', RUNNING],
    ['resume', RUNNING],
    ['stop', { ...RUNNING, stoppedAt: NOW }],
    ['first_response_given', { ...RUNNING, stoppedAt: NOW }],
  ])('while running reacts to %s', async ([what, is], { connection, conversation: conversationId }) => {
    await makeClock(connection, conversationId, { kind });
    await change(conversationId, what);
    expect(await clocks(conversationId)).toEqual([{ kind, ...is }]);
  });

  test('is breached when the response is late', async ({ connection, conversation: conversationId }) => {
    await makeClock(connection, conversationId, { kind, ...OVERDUE });
    await change(conversationId, 'first_response_given');
    expect(await clocks(conversationId)).toEqual([{ kind, ...BREACHED, stoppedAt: NOW }]);
  });

  test.for<ClockChange>(['pause', 'resume', 'stop', 'first_response_given'])(
    'stays stopped on %s',
    async (what, { connection, conversation: conversationId }) => {
      await makeClock(connection, conversationId, { kind, ...STOPPED });
      await change(conversationId, what);
      expect(await clocks(conversationId)).toEqual([{ kind, ...STOPPED }]);
    },
  );
});

test('only the newest of two resolution clocks is paused and resumed', async ({
  connection,
  conversation: conversationId,
}) => {
  await makeClock(connection, conversationId, { stoppedAt: minute(-10), startedAt: minute(-60) });
  await makeClock(connection, conversationId);
  await change(conversationId, 'pause');
  await change(conversationId, 'resume', minute(40));
  expect(await clocks(conversationId)).toMatchObject([
    { stoppedAt: minute(-10), dueAt: minute(60) },
    { ...RUNNING, dueAt: minute(70) },
  ]);
});

test('clocks of other conversations do not change, and a conversation without clocks gets none', async ({
  connection,
  conversation: conversationId,
}) => {
  await makeClock(connection, conversationId);
  const other = await makeConversation(connection);
  for (const what of ['pause', 'resume', 'stop', 'first_response_given'] as const) await change(other, what);
  expect(await clocks(other)).toEqual([]);
  expect(await clocks(conversationId)).toEqual([{ kind: 'resolution', ...RUNNING }]);
});

type Clock = Partial<Prisma.SlaClockUncheckedCreateInput>;

/** Starts a clock. By default it starts at minute 0 and is due at minute 60. */
async function makeClock(
  connection: Connected,
  conversationId: string,
  columns: Clock = {},
): Promise<string> {
  const { workspaceId } = connection;
  const data = { workspaceId, conversationId, startedAt: minute(0), dueAt: minute(60), ...columns };
  return (await db().slaClock.create({ data: { kind: 'resolution', ...data } })).id;
}

const change = (conversationId: string, clock: ClockChange, now = NOW) =>
  inTransaction((tx) => changeClocks(tx, { conversationId, clock, now }));

const clocks = (conversationId: string) =>
  db().slaClock.findMany({
    where: { conversationId },
    orderBy: { startedAt: 'asc' },
    select: { kind: true, dueAt: true, pausedAt: true, stoppedAt: true, breachedAt: true },
  });
