import { describe, expect } from 'vitest';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import {
  allDelivered,
  countDelivered,
  hookCounts,
  makeDeliveries,
  makeHook,
} from '#test/fixtures/deliveries.ts';
import { test as deliveryTest } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';
import { holdRequests } from '#test/servers/held-requests.ts';
import { startWorker, type Worker } from '#worker/start-worker.ts';

const test = deliveryTest.extend('second', { scope: 'file', auto: true }, ({ worker: _ }, { onCleanup }) =>
  startSecond(onCleanup),
);

describe('of one hook', () => {
  test('at most ten deliveries are in flight over two workers, and each finished one makes room for another', async ({
    receiver,
  }) => {
    const hook = await makeHook(await makeConnection());
    const requests = holdRequests(receiver);
    await makeDeliveries(hook, 45);
    await until('ten are in flight and the others wait', async () => {
      return requests.open() === 10 && (await hookCounts(hook.id)).made === 45;
    });
    for (let done = 0; done < 45; ) {
      const answered = Math.min(3, requests.open());
      requests.answer(answered);
      done += answered;
      await until('other deliveries take their place', () => requests.open() === Math.min(10, 45 - done));
    }
    await allDelivered([hook], 45);
    expect(requests.most()).toBe(10);
    expect(receiver.received.length).toBe(45);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  });

  test('waiting deliveries are sent in the order in which they became due', async ({ receiver }) => {
    const hook = await makeHook(await makeConnection());
    const requests = holdRequests(receiver);
    await makeDeliveries(hook, 10);
    await until('all slots are taken', () => requests.open() === 10);
    const order: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      order.push(...(await makeDeliveries(hook, 1)));
      await until('it waits', async () => (await hookCounts(hook.id)).made === 11 + n);
    }
    for (let n = 0; n < 5; n += 1) {
      requests.answer(1);
      await until('the next delivery was sent', () => receiver.received.length === 11 + n);
    }
    const ids = receiver.received.slice(10).map(({ headers }) => headers['x-service-delivery']);
    expect(ids).toEqual(order);
    requests.release();
    await until('the hook is released', async () => (await hookCounts(hook.id)).unended === 0);
  });

  test('removing the hook cancels waiting deliveries, and deliveries in flight are recorded', async ({
    connection,
    receiver,
  }) => {
    const hook = await makeHook(connection);
    const requests = holdRequests(receiver);
    await makeDeliveries(hook, 30);
    await until('twenty deliveries wait', async () => {
      return requests.open() === 10 && (await hookCounts(hook.id)).made === 30;
    });
    await inTransaction((tx) => removeHooks(tx, { connectionId: connection.id }, 'disconnected'));
    await until(
      'the waiting deliveries have ended',
      async () => (await db().delivery.count({ where: { hookId: hook.id, outcome: 'cancelled' } })) === 20,
    );
    requests.answer(10);
    await allDelivered([hook], 10);
    expect(receiver.received.length).toBe(10);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  });

  test('a delivery that fails after the hook was removed is not retried', async ({
    connection,
    receiver,
  }) => {
    const hook = await makeHook(connection);
    let respond: (status: number) => void = () => undefined;
    receiver.respond(
      () =>
        new Promise((resolve) => {
          respond = (status) => resolve({ status });
        }),
    );
    await makeDeliveries(hook, 1);
    await until('it is in flight', () => receiver.received.length === 1);
    await inTransaction((tx) => removeHooks(tx, { connectionId: connection.id }, 'disconnected'));
    respond(500);
    const ended = await until('it has ended', async () => {
      const found = await db().delivery.findFirst({ where: { hookId: hook.id, endedAt: { not: null } } });
      return found ?? undefined;
    });
    expect(ended).toMatchObject({ outcome: 'cancelled', attempts: 1 });
    expect(receiver.received.length).toBe(1);
  });
});

test('a hook without free slots does not delay other hooks', async ({ connection, receiver }) => {
  const full = await makeHook(connection, { event: 'operator.command' });
  const other = await makeHook(connection);
  const open: (() => void)[] = [];
  receiver.respond((request) =>
    request.body.includes('operator.command')
      ? new Promise((resolve) => open.push(() => resolve({ status: 200 })))
      : { status: 200 },
  );
  await makeDeliveries(full, 200);
  await until('its slots are taken', () => open.length === 10);
  await makeDeliveries(other, 20);
  await allDelivered([other], 20);
  expect(await countDelivered([full])).toBe(0);
  receiver.respond(() => ({ status: 200 }));
  for (const respond of open) respond();
  await allDelivered([full], 200);
});

describe('a crash', () => {
  test('between the commit of a change and the wake-up of the workers delays its events by at most a second', async () => {
    const hook = await makeHook(await makeConnection());
    const { workspaceId, event: key } = hook;
    const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
    await db().eventToFanOut.create({ data: { eventId: event.id } });
    await allDelivered([hook], 1);
  });

  test('of a worker leaves its hooks to other workers', async () => {
    const hook = await makeHook(await makeConnection());
    const { id: hookId, workspaceId, event: key } = hook;
    const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
    await db().delivery.create({
      data: { workspaceId, eventId: event.id, hookId, nextAttemptAt: new Date() },
    });
    await db().queuedHook.create({ data: { hookId, dueAt: new Date(), claimedBy: 'a dead worker' } });
    await allDelivered([hook], 1);
    await until(
      'no worker serves it',
      async () => (await db().queuedHook.count({ where: { hookId } })) === 0,
    );
  });
});

async function startSecond(onCleanup: (end: () => Promise<void>) => void): Promise<Worker> {
  const second = await startWorker();
  onCleanup(() => second.stop());
  return second;
}
