import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { atScale } from '#test/faults/at-scale.ts';
import { expectAtRest, sendToAll, unrecordedOf } from '#test/faults/deliveries.ts';
import { arrivals } from '#test/faults/delivery-keys.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { chosenSeed, seededRandom } from '#test/fixtures/seeded-random.ts';
import { until } from '#test/fixtures/until.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '20' }));

const HOOKS = atScale(25, 50);
const DELIVERIES = atScale(1_000, 10_000);
const KILLS = atScale(5, 10);
const BATCH = DELIVERIES / KILLS;

test(`${DELIVERIES} deliveries survive workers killed at random times`, async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  const seed = chosenSeed();
  const random = seededRandom(seed);
  let last: number | undefined;
  let longestGapMs = 0;
  let held = { from: Number.POSITIVE_INFINITY, released: Promise.resolve() };
  receiver.respond(async () => {
    const now = performance.now();
    longestGapMs = Math.max(longestGapMs, now - (last ?? now));
    last = now;
    const { from, released } = held;
    const isHeld = receiver.received.length > from;
    await sleep(50 + 400 * random());
    if (isHeld) await released;
    return { status: 200 };
  });
  const hooks = await createHooks(HOOKS);
  const workers = [await startWorker(), await startWorker()];
  let duplicatesMax = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    // Requests are held from here until a worker is killed: on a busy machine the worker could otherwise have sent
    // everything.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    held = { from: receiver.received.length + Math.floor(random() * BATCH), released };
    await sendToAll(hooks, BATCH / HOOKS);
    await until('enough deliveries have arrived', () => receiver.received.length > held.from);
    const victim = await until('a worker is busy', async () => {
      const unrecorded = await Promise.all(
        workers.map((each) => unrecordedOf(each.poolIds, receiver.received)),
      );
      const busy = workers.filter((_, place) => (unrecorded[place] ?? 0) > 0);
      return busy[Math.floor(random() * busy.length)];
    });
    workers.splice(workers.indexOf(victim), 1);
    await victim.kill();
    duplicatesMax += await unrecordedOf(victim.poolIds, receiver.received);
    release();
    workers.push(await startWorker());
  }
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
