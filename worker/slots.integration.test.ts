import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorker, type Worker } from '#worker/start-worker.ts';

const running = withDeliveryService();
let second: Worker;
beforeAll(async () => {
  second = await startWorker();
});
afterAll(() => second.stop());

/** Holds all requests back until they are released, and counts the open ones. */
function holdRequests() {
  const open: (() => void)[] = [];
  let most = 0;
  running().receiver.respond(
    () =>
      new Promise((resolve) => {
        open.push(() => resolve({ status: 200 }));
        most = Math.max(most, open.length);
      }),
  );
  const letGo = (count: number) => {
    for (const respond of open.splice(0, count)) respond();
  };
  return { open, letGo, most: () => most };
}

const delivered = (hookId: string) => db().delivery.count({ where: { hookId, outcome: 'delivered' } });

describe('of one hook', () => {
  test('at most ten deliveries are in flight over two workers, and each finished one makes room for another', async () => {
    const hook = await makeHook(await makeConnection());
    const requests = holdRequests();
    await makeDeliveries(hook, 45);
    await until('ten are in flight and the others wait', async () => {
      return requests.open.length === 10 && (await hookCounts(hook.id)).made === 45;
    });
    for (let done = 0; done < 45; ) {
      const letGo = Math.min(3, requests.open.length);
      requests.letGo(letGo);
      done += letGo;
      await until(
        'other deliveries take their place',
        () => requests.open.length === Math.min(10, 45 - done),
      );
    }
    await until('all have arrived', async () => (await delivered(hook.id)) === 45);
    expect(requests.most()).toBe(10);
    expect(running().receiver.received.length).toBe(45);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  });

  test('waiting deliveries are sent in the order in which they became due', async () => {
    const hook = await makeHook(await makeConnection());
    const requests = holdRequests();
    await makeDeliveries(hook, 10);
    await until('all slots are taken', () => requests.open.length === 10);
    const order: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      order.push(...(await makeDeliveries(hook, 1)));
      await until('it waits', async () => (await hookCounts(hook.id)).made === 11 + n);
    }
    for (let n = 0; n < 5; n += 1) {
      requests.letGo(1);
      await until('the next delivery was sent', () => running().receiver.received.length === 11 + n);
    }
    const ids = running()
      .receiver.received.slice(10)
      .map(({ headers }) => headers['x-service-delivery']);
    expect(ids).toEqual(order);
    requests.letGo(100);
    await until('the hook is released', async () => (await hookCounts(hook.id)).unended === 0);
  });

  test('removing the hook cancels waiting deliveries, and deliveries in flight are recorded', async () => {
    const connection = await makeConnection();
    const hook = await makeHook(connection);
    const requests = holdRequests();
    await makeDeliveries(hook, 30);
    await until('twenty deliveries wait', async () => {
      return requests.open.length === 10 && (await hookCounts(hook.id)).made === 30;
    });
    await inTransaction((tx) => removeHooks(tx, { connectionId: connection.id }, 'disconnected'));
    await until(
      'the waiting deliveries have ended',
      async () => (await db().delivery.count({ where: { hookId: hook.id, outcome: 'cancelled' } })) === 20,
    );
    requests.letGo(10);
    await until('the others are recorded', async () => (await delivered(hook.id)) === 10);
    expect(running().receiver.received.length).toBe(10);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  });

  test('a delivery that fails after the hook was removed is not retried', async () => {
    const connection = await makeConnection();
    const hook = await makeHook(connection);
    let respond: (status: number) => void = () => undefined;
    running().receiver.respond(
      () =>
        new Promise((resolve) => {
          respond = (status) => resolve({ status });
        }),
    );
    await makeDeliveries(hook, 1);
    await until('it is in flight', () => running().receiver.received.length === 1);
    await inTransaction((tx) => removeHooks(tx, { connectionId: connection.id }, 'disconnected'));
    respond(500);
    const ended = await until('it has ended', async () => {
      const found = await db().delivery.findFirst({ where: { hookId: hook.id, endedAt: { not: null } } });
      return found ?? undefined;
    });
    expect(ended).toMatchObject({ outcome: 'cancelled', attempts: 1 });
    expect(running().receiver.received.length).toBe(1);
  });
});

test('a hook without free slots does not delay other hooks', async () => {
  const connection = await makeConnection();
  const full = await makeHook(connection, { event: 'operator.command' });
  const other = await makeHook(connection);
  const open: (() => void)[] = [];
  running().receiver.respond((request) =>
    request.body.includes('operator.command')
      ? new Promise((resolve) => open.push(() => resolve({ status: 200 })))
      : { status: 200 },
  );
  await makeDeliveries(full, 200);
  await until('its slots are taken', () => open.length === 10);
  await makeDeliveries(other, 20);
  await until('the other hook received all events', async () => (await delivered(other.id)) === 20);
  expect(await delivered(full.id)).toBe(0);
  running().receiver.respond(() => ({ status: 200 }));
  for (const respond of open) respond();
  await until('the first hook received all events', async () => (await delivered(full.id)) === 200);
});

describe('a crash', () => {
  test('between the commit of a change and the wake-up of the workers delays its events by at most a second', async () => {
    const hook = await makeHook(await makeConnection());
    const { workspaceId, event: key } = hook;
    const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
    await db().eventToFanOut.create({ data: { eventId: event.id } });
    await until('it has arrived', async () => (await delivered(hook.id)) === 1);
  });

  test('of a worker leaves its hooks to other workers', async () => {
    const hook = await makeHook(await makeConnection());
    const { id: hookId, workspaceId, event: key } = hook;
    const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
    await db().delivery.create({
      data: { workspaceId, eventId: event.id, hookId, nextAttemptAt: new Date() },
    });
    await db().queuedHook.create({ data: { hookId, dueAt: new Date(), claimedBy: 'a dead worker' } });
    await until('it has arrived', async () => (await delivered(hook.id)) === 1);
    await until(
      'no worker serves it',
      async () => (await db().queuedHook.count({ where: { hookId } })) === 0,
    );
  });
});
