import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { answered, attemptedDelivery, record } from '#test/fixtures/attempts.ts';
import { hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';

const running = withDeliveryService();

test('an attempt recorded before the connection broke counts once, and later deliveries continue', async () => {
  const hook = await makeHook(await makeConnection());
  const { id: hookId, workspaceId } = hook;
  let first: string | undefined;
  running().receiver.respond(async ({ headers }) => {
    const eventId = String(headers['x-service-delivery']);
    first ??= eventId;
    // Record the attempt before the worker does, as if the worker had lost the response.
    if (first === eventId) {
      const { id } = await db().delivery.findFirstOrThrow({ where: { hookId, eventId } });
      await record({ id, eventId, eventKey: 'conversation.created', hookId, workspaceId }, 1, answered(200));
    }
    return { status: 200 };
  });
  await makeDeliveries(hook, 12);
  await until('all have arrived', async () => {
    return (await db().delivery.count({ where: { hookId, outcome: 'delivered' } })) === 12;
  });
  expect(running().receiver.received.length).toBe(12);
  expect(await db().attempt.count({ where: { delivery: { hookId } } })).toBe(12);
  expect(await hookCounts(hookId)).toEqual({ made: 12, unended: 0 });
});

test('a hook claimed before the connection broke is served', async () => {
  const hook = await makeHook(await makeConnection());
  await attemptedDelivery(hook);
  const { poolId: claimedBy } = await db().workerLease.findFirstOrThrow({
    where: { poolId: { startsWith: 'deliveries-' } },
  });
  await db().queuedHook.create({ data: { hookId: hook.id, dueAt: new Date(), claimedBy } });
  await until('it has arrived', async () => {
    return (await db().delivery.count({ where: { hookId: hook.id, outcome: 'delivered' } })) === 1;
  });
  await until(
    'the hook is released',
    async () => (await db().queuedHook.count({ where: { hookId: hook.id } })) === 0,
  );
  expect(running().receiver.received.length).toBe(1);
});
