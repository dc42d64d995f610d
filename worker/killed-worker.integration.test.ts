import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { expectAtRest, sendToAll, unrecordedOf } from '#test/faults/deliveries.ts';
import { arrivals } from '#test/faults/delivery-keys.ts';
import { killWorkers } from '#test/faults/kill-workers.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { chosenSeed, seededRandom } from '#test/fixtures/seeded-random.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '20' }));

const HOOKS = 25;
const DELIVERIES = 1_000;
const KILLS = 5;

test('1,000 deliveries survive workers killed at random times', async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  const seed = chosenSeed();
  const random = seededRandom(seed);
  let last: number | undefined;
  let longestGapMs = 0;
  receiver.respond(async () => {
    const now = performance.now();
    longestGapMs = Math.max(longestGapMs, now - (last ?? now));
    last = now;
    await sleep(50 + 400 * random());
    return { status: 200 };
  });
  const hooks = await createHooks(HOOKS);
  const workers = [await startWorker(), await startWorker()];
  await sendToAll(hooks, DELIVERIES / HOOKS);
  let duplicatesMax = 0;
  await killWorkers(workers, {
    kills: KILLS,
    deliveries: DELIVERIES,
    random,
    arrived: () => receiver.received.length,
    startWorker,
    // On a busy machine a new worker may not have sent anything yet.
    isBusy: async ({ poolIds }) => (await unrecordedOf(poolIds, receiver.received)) > 0,
    onKill: async ({ poolIds }) => {
      duplicatesMax += await unrecordedOf(poolIds, receiver.received);
    },
  });
  await allDelivered(hooks, DELIVERIES);

  const arrived = arrivals(receiver.received);
  const duplicates = receiver.received.length - arrived.size;
  printFigures(
    `killed workers (seed ${seed}): ${KILLS} kills, ${DELIVERIES} deliveries, ${duplicates} duplicates of at most ` +
      `${duplicatesMax}, longest gap ${Math.round(longestGapMs)} ms`,
  );
  expect(arrived.size).toBe(DELIVERIES);
  expect(duplicatesMax).toBeGreaterThan(0);
  expect(duplicates).toBeLessThanOrEqual(duplicatesMax);
  await expectAtRest(hooks, DELIVERIES);
});
