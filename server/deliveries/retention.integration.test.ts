import { expect, test } from 'vitest';
import { db } from '#server/db.ts';
import { removeOldHistory } from '#server/deliveries/remove-old-history.ts';
import { settings } from '#server/env.ts';
import type { Delivery, Hook } from '#server/generated/prisma/client.ts';
import { makeHook } from '#test/deliveries.ts';
import { makeConnection } from '#test/factories.ts';
import { withTestService } from '#test/with-service.ts';

withTestService();

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** An event some days old with one delivery. */
async function history(hook: Hook, days: number, delivery: Partial<Delivery> = {}): Promise<Delivery> {
  const createdAt = daysAgo(days);
  const { workspaceId, event: key } = hook;
  const event = await db().event.create({ data: { workspaceId, key, body: '{}', createdAt } });
  const ended = { endedAt: createdAt, outcome: 'delivered', attempts: 1 } as const;
  return db().delivery.create({
    data: {
      workspaceId,
      eventId: event.id,
      hookId: hook.id,
      createdAt,
      ...ended,
      ...delivery,
      attemptList: { create: { number: 1, outcome: 'delivered', startedAt: createdAt, durationMs: 5 } },
    },
  });
}

const isThere = async ({ id, eventId }: Delivery) => ({
  delivery: (await db().delivery.count({ where: { id } })) === 1,
  attempts: (await db().attempt.count({ where: { deliveryId: id } })) === 1,
  event: (await db().event.count({ where: { id: eventId } })) === 1,
});
const KEPT = { delivery: true, attempts: true, event: true };
const GONE = { delivery: false, attempts: false, event: false };

test('deliveries and events are kept for HISTORY_DAYS after they ended, and not longer', async () => {
  const hook = await makeHook(await makeConnection());
  const old = await history(hook, 15);
  const young = await history(hook, 13);
  const sentAgain = await history(hook, 15, { endedAt: daysAgo(1) });
  const waits = await history(hook, 15, {
    endedAt: null,
    outcome: null,
    nextAttemptAt: new Date(),
  });
  await removeOldHistory();
  expect(await isThere(old)).toEqual(GONE);
  expect(await isThere(young)).toEqual(KEPT);
  expect(await isThere(sentAgain)).toEqual(KEPT);
  expect(await isThere(waits)).toEqual(KEPT);

  Object.assign(settings(), { HISTORY_DAYS: 12 });
  await removeOldHistory();
  Object.assign(settings(), { HISTORY_DAYS: 14 });
  expect(await isThere(young)).toEqual(GONE);
});

test('a removed hook is kept as long as its record and its log may be of use', async () => {
  const connection = await makeConnection();
  const removed = async (days: number) =>
    db().hook.update({
      where: { id: (await makeHook(connection)).id },
      data: { removedAt: daysAgo(days), removalReason: 'gone' },
    });
  const live = await makeHook(connection);
  const [young, old, oldWithLog] = [await removed(13), await removed(15), await removed(15)];
  await history(oldWithLog, 15, { endedAt: daysAgo(13) });
  await removeOldHistory();
  const left = await db().hook.findMany({ where: { connectionId: connection.id }, select: { id: true } });
  expect(left.map(({ id }) => id).toSorted()).toEqual([live.id, young.id, oldWithLog.id].toSorted());
  expect(left).not.toContainEqual({ id: old.id });
});

test('many go in several batches', async () => {
  const hook = await makeHook(await makeConnection());
  await db().event.createMany({
    data: Array.from({ length: 2_500 }, () => ({
      workspaceId: hook.workspaceId,
      key: hook.event,
      body: '{}',
      createdAt: daysAgo(20),
    })),
  });
  expect(await removeOldHistory()).toBe(2_500);
  expect(await removeOldHistory()).toBe(0);
});
