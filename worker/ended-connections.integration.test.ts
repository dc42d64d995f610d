import { expect, test } from 'vitest';
import { disconnect } from '#server/automation/connections/end-connection.ts';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/prisma.ts';
import { tokenClient } from '#test/clients/token-client.ts';
import { hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';
import { PLATFORM } from '#test/servers/settings.ts';

/** Retries are so late that a test would see only those sent too early. */
const running = withDeliveryService({ DELIVERY_RETRY_DELAYS: '600,600,600,600' });

type Connection = Awaited<ReturnType<typeof makeConnection>>;

test.each<[string, (connection: Connection, hookId: string) => Promise<unknown>]>([
  [
    'an owner disconnects it',
    ({ id, workspaceId, teammate }) => disconnect({ workspaceId, connectionId: id, by: teammate }),
  ],
  ['the platform revokes it', ({ refreshToken }) => tokenClient(running().service.url).revoke(refreshToken)],
  ['the platform unsubscribes the hook', ({ workspaceId }, id) => unsubscribeHook({ workspaceId, id })],
])('once %s nothing more is sent: no waiting delivery, no retry and no new event', async (_how, end) => {
  const connection = await makeConnection();
  const hook = await makeHook(connection);
  running().receiver.respond(() => ({ status: 500 }));
  await makeDeliveries(hook, 1);
  await until('a retry is scheduled', async () => {
    const delivery = await db().delivery.findFirst({ where: { hookId: hook.id } });
    return delivery?.attempts === 1;
  });
  const open: (() => void)[] = [];
  running().receiver.respond(() => new Promise((resolve) => open.push(() => resolve({ status: 500 }))));
  await makeDeliveries(hook, 15);
  await until('ten are in flight and five wait', async () => {
    return open.length === 10 && (await hookCounts(hook.id)).unended === 16;
  });

  await end(connection, hook.id);
  for (const respond of open) respond();
  await until(
    'all deliveries have ended',
    async () => (await db().delivery.count({ where: { hookId: hook.id, outcome: 'cancelled' } })) === 16,
  );
  await makeDeliveries(hook, 1);
  await until(
    'the new delivery has ended too',
    async () => (await db().delivery.count({ where: { hookId: hook.id, outcome: 'cancelled' } })) === 17,
  );
  expect(running().receiver.received.length).toBe(11);
  expect((await hookCounts(hook.id)).unended).toBe(0);
});

test('two hooks for the same event get one delivery each', async () => {
  const connection = await makeConnection();
  const first = await makeHook(connection, { targetUrl: `https://${PLATFORM.hooksHost}/first` });
  const second = await makeHook(connection, { targetUrl: `https://${PLATFORM.hooksHost}/second` });
  await makeDeliveries(first, 1);
  await until(
    'both are recorded',
    async () =>
      (await db().delivery.count({
        where: { hookId: { in: [first.id, second.id] }, outcome: 'delivered' },
      })) === 2,
  );
  expect(
    running()
      .receiver.received.map(({ path }) => path)
      .toSorted(),
  ).toEqual(['/first', '/second']);
});

test('consecutive deliveries reuse a connection', async () => {
  const hook = await makeHook(await makeConnection());
  const before = running().receiver.connections();
  for (let n = 1; n <= 20; n += 1) {
    await makeDeliveries(hook, 1);
    await until(
      'it is recorded',
      async () => (await db().delivery.count({ where: { hookId: hook.id, outcome: 'delivered' } })) === n,
    );
  }
  expect(running().receiver.connections() - before).toBeLessThanOrEqual(1);
});
