import { expect } from 'vitest';
import { disconnect } from '#server/automation/connections/end-connection.ts';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/prisma.ts';
import { tokenClient } from '#test/clients/token-client.ts';
import { hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/delivery-test.ts';
import type { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';

/** Retries are so late that a test would see only those sent too early. */
const test = baseTest.extend('settings', { scope: 'file' }, () => ({
  DELIVERY_RETRY_DELAYS: '600,600,600,600',
}));

test.for<{ what: string; end: (input: ConnectedHook) => Promise<unknown> }>([
  {
    what: 'an owner disconnects it',
    end: ({ connection: { id, workspaceId, teammate } }) =>
      disconnect({ workspaceId, connectionId: id, by: teammate }),
  },
  {
    what: 'the platform revokes it',
    end: ({ connection, url }) => tokenClient(url).revoke(connection.refreshToken),
  },
  {
    what: 'the platform unsubscribes the hook',
    end: ({ connection: { workspaceId }, hookId: id }) => unsubscribeHook({ workspaceId, id }),
  },
])(
  'once $what nothing more is sent: no waiting delivery, no retry and no new event',
  async ({ end }, { service, connection, receiver }) => {
    const hook = await makeHook(connection);
    receiver.respond(() => ({ status: 500 }));
    await makeDeliveries(hook, 1);
    await until('a retry is scheduled', async () => {
      const delivery = await db().delivery.findFirst({ where: { hookId: hook.id } });
      return delivery?.attempts === 1;
    });
    const open: (() => void)[] = [];
    receiver.respond(() => new Promise((resolve) => open.push(() => resolve({ status: 500 }))));
    await makeDeliveries(hook, 15);
    await until('ten are in flight and five wait', async () => {
      return open.length === 10 && (await hookCounts(hook.id)).unended === 16;
    });

    await end({ connection, hookId: hook.id, url: service.url });
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
    expect(receiver.received.length).toBe(11);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  },
);

type ConnectedHook = { connection: Awaited<ReturnType<typeof makeConnection>>; hookId: string; url: string };
