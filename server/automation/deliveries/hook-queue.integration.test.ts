import { expect } from 'vitest';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import { claimHooks, readDue, releaseHooks, wakeHooks } from '#server/automation/deliveries/hook-queue.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { attemptedDelivery } from '#test/fixtures/attempts.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/hook-test.ts';

test('only one of several concurrent workers serves a hook', async ({ connection }) => {
  const hooks = [];
  for (let n = 0; n < 20; n += 1) hooks.push((await dueHook(connection)).id);
  const workers = [];
  for (let n = 0; n < 5; n += 1) workers.push(await makeWorker(`worker ${n}`));
  const claims = (await Promise.all(workers.map(claimed))).flat();
  expect(claims.toSorted()).toEqual(hooks.toSorted());
  expect(await claimed(await makeWorker('late'))).toEqual([]);
});

test('a worker declared dead serves nothing, and any worker can claim its hooks', async () => {
  const hook = await dueHook();
  const dying = await makeWorker('dying');
  expect(await claimed(dying)).toContain(hook.id);
  await db().workerLease.delete({ where: { poolId: dying } });
  expect(await claimed(dying)).toEqual([]);
  const heir = await makeWorker('heir');
  expect(await claimed(heir)).toContain(hook.id);
  expect(await read(dying, hook)).toBeUndefined();
  expect((await read(heir, hook))?.due).toHaveLength(1);
});

test('a hook that got more deliveries after it was read is not released', async () => {
  const hook = await dueHook();
  const worker = await makeWorker('reader');
  await claimHooks(worker, ALL);
  const { wakes = -1 } = (await read(worker, hook)) ?? {};
  await db().delivery.updateMany({
    where: { hookId: hook.id },
    data: { endedAt: new Date(), outcome: 'delivered', nextAttemptAt: null },
  });
  const { workspaceId, event: key } = hook;
  const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
  await db().eventToFanOut.create({ data: { eventId: event.id } });
  expect(await fanOut({ leaseId: 'another', hooks: 10 })).toMatchObject({ made: 1, hooks: [] });
  expect(await releaseHooks(worker, [{ hookId: hook.id, wakes }])).toEqual([]);
  expect((await read(worker, hook))?.due).toMatchObject([{ eventId: event.id }]);
});

test('a hook is released until its earliest retry, and its row is deleted after the last delivery', async () => {
  const hook = await dueHook();
  const worker = await makeWorker('giver');
  await claimHooks(worker, ALL);
  const nextAttemptAt = new Date(Date.now() + 60_000);
  await db().delivery.updateMany({ where: { hookId: hook.id }, data: { nextAttemptAt } });
  const input = { hookId: hook.id, wakes: (await read(worker, hook))?.wakes ?? -1 };
  const before = Date.now();
  const [released] = await releaseHooks(worker, [input]);
  const after = Date.now();
  expect(released?.dueInMs).toBeGreaterThanOrEqual(Number(nextAttemptAt) - after - 1);
  expect(released?.dueInMs).toBeLessThanOrEqual(Number(nextAttemptAt) - before + 1);
  expect(await db().queuedHook.findUnique({ where: { hookId: hook.id } })).toMatchObject({
    dueAt: nextAttemptAt,
    claimedBy: null,
  });
  expect(await claimed(worker)).not.toContain(hook.id);

  await db().delivery.deleteMany({ where: { hookId: hook.id } });
  await inTransaction((tx) => wakeHooks(tx, [hook.id]));
  await claimHooks(worker, ALL);
  const last = { hookId: hook.id, wakes: (await read(worker, hook))?.wakes ?? -1 };
  expect(await releaseHooks(worker, [last])).toEqual([{ hookId: hook.id, dueInMs: null }]);
  expect(await db().queuedHook.count({ where: { hookId: hook.id } })).toBe(0);
});

test('concurrent workers fan out each event exactly once', async ({ hook }) => {
  const { workspaceId, event: key } = hook;
  for (let n = 0; n < 500; n += 1) {
    const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
    await db().eventToFanOut.create({ data: { eventId: event.id } });
  }
  let made = 0;
  while ((await db().eventToFanOut.count()) > 0) {
    const workers = ['a', 'b', 'c', 'd'];
    const fanned = await Promise.all(workers.map((leaseId) => fanOut({ leaseId, hooks: 10 })));
    made += fanned.reduce((sum, each) => sum + each.made, 0);
  }
  expect(made).toBe(500);
  expect(await db().delivery.count({ where: { hookId: hook.id } })).toBe(500);
});

const ALL = { fast: 1_000, slow: 1_000 };

async function makeWorker(id: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db().workerLease.createMany({ data: { poolId: id, expiresAt }, skipDuplicates: true });
  return id;
}

async function dueHook(connection?: Awaited<ReturnType<typeof makeConnection>>): Promise<Hook> {
  const hook = await makeHook(connection ?? (await makeConnection()));
  await attemptedDelivery(hook);
  await inTransaction((tx) => wakeHooks(tx, [hook.id]));
  return hook;
}

const claimed = async (worker: string) => (await claimHooks(worker, ALL)).map(({ hookId }) => hookId);
const read = async (worker: string, { id: hookId }: Hook) =>
  (await readDue(worker, [{ hookId, most: 10, busy: [] }]))[0];
