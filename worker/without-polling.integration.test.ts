import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';

// Workers poll for due hooks by `setInterval`. The fake one never fires.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
const running = withDeliveryService();
afterAll(() => void vi.useRealTimers());

test('hundreds of deliveries of one hook are sent without a poll', async () => {
  const hook = await makeHook(await makeConnection());
  const isDelivered = { hookId: hook.id, outcome: 'delivered' } as const;
  await makeDeliveries(hook, 400);
  await until('all have arrived', async () => (await db().delivery.count({ where: isDelivered })) === 400);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  expect(running().receiver.received.length).toBe(400);
  expect((await hookCounts(hook.id)).unended).toBe(0);
});
