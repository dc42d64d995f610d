import { expect, test } from 'vitest';
import { db } from '#server/db.ts';
import { claimAttempt } from '#test/attempts.ts';
import { countLockWaiters } from '#test/count-lock-waiters.ts';
import { makeHook } from '#test/deliveries.ts';
import { makeConnection } from '#test/factories.ts';
import { hookCounts } from '#test/hook-counts.ts';
import { until } from '#test/until.ts';
import { withTestService } from '#test/with-service.ts';

withTestService();

test('a job that runs again while the claim of its killed worker still waits for a lock is not taken for done', async () => {
  const hook = await makeHook(await makeConnection());
  const { workspaceId } = hook;
  const event = await db().event.create({ data: { workspaceId, key: hook.event, body: '{}' } });
  const { id } = await db().delivery.create({
    data: { workspaceId, eventId: event.id, hookId: hook.id, nextAttemptAt: new Date() },
  });
  const { both } = await db().$transaction(async (tx) => {
    await tx.$queryRaw`select from hooks where id = ${hook.id}::uuid for update`;
    const both = [claimAttempt(id, 1), claimAttempt(id, 1)];
    await until('both wait for the lock', async () => (await countLockWaiters()) === 2);
    return { both };
  });
  for (const claim of await Promise.all(both)) expect(claim).toMatchObject({ kind: 'claimed' });
  expect(await hookCounts(hook.id)).toEqual({ inFlight: 1, waiting: 0, staged: 1, staying: 0 });
});
