import { expect, test } from 'vitest';
import { db } from '#server/db.ts';
import { answered, claimAttempt, record } from '#test/attempts.ts';
import { makeDeliveries, makeHook } from '#test/deliveries.ts';
import { withDeliveryService } from '#test/delivery-service.ts';
import { makeConnection } from '#test/factories.ts';
import { AT_REST, hookCounts } from '#test/hook-counts.ts';
import { until } from '#test/until.ts';

const running = withDeliveryService();

test('an attempt that was recorded although the connection broke before the answer hands its slot on', async () => {
  const hook = await makeHook(await makeConnection());
  const { id: hookId, workspaceId, event: key } = hook;
  const waiting = await db().event.create({ data: { workspaceId, key, body: '{}' } });
  await db().$transaction([
    db().delivery.create({
      data: { workspaceId, eventId: waiting.id, hookId, stage: 'waiting', nextAttemptAt: new Date() },
    }),
    db().hook.update({ where: { id: hookId }, data: { waiting: 1 } }),
  ]);
  running().receiver.respond(async ({ headers }) => {
    // What the worker is about to record is in the database already, as if it had been told nothing of it.
    if (headers['x-service-delivery'] !== waiting.id) {
      const { id } = await db().delivery.findFirstOrThrow({ where: { hookId, stage: 'in_flight' } });
      const claim = await claimAttempt(id, 1);
      if (claim.kind === 'claimed') await record(claim.delivery, 1, answered(200));
    }
    return { status: 200 };
  });
  await makeDeliveries(hook, 1);
  await until('both have arrived', async () => {
    return (await db().delivery.count({ where: { hookId, outcome: 'delivered' } })) === 2;
  });
  expect(running().receiver.received.length).toBe(2);
  expect(await hookCounts(hookId)).toEqual(AT_REST);
});
