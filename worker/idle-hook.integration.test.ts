import { afterAll, beforeAll, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';

// Workers release idle hooks and poll by `setInterval`. The fake one never fires.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));

afterAll(() => void vi.useRealTimers());

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ DELIVERY_RETRY_DELAYS: '1,1,1,1' }));

test('an event for an idle hook is sent without reading the hook', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  expect(await readsOfEvent(hook)).toBe(0);
  await until(
    'an event for a claimed hook is sent without a read',
    async () => (await readsOfEvent(hook)) === 0,
  );
  const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a retry is sent while new events keep its hook busy', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  receiver.respond(() => ({ status: receiver.received.length === 1 ? 500 : 200 }));
  const [failed] = await makeDeliveries(hook, 1);
  await until('the retry is sent', async () => {
    await deliverEvent(hook);
    return receiver.received.filter(({ headers }) => headers['x-service-delivery'] === failed).length === 2;
  });
});

async function deliverEvent(hook: Hook): Promise<void> {
  const [eventId = ''] = await makeDeliveries(hook, 1);
  await until(
    'the event is delivered',
    async () => (await db().delivery.count({ where: { eventId, outcome: 'delivered' } })) === 1,
  );
}

/** Returns how often the hook is read for an event. */
async function readsOfEvent(hook: Hook): Promise<number> {
  const statements = await statementsOf(() => deliverEvent(hook));
  return statements.filter(({ text }) => text.includes('as a ("hookId" uuid, most int, busy uuid[])')).length;
}
