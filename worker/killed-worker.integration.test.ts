import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  allDelivered,
  arrivals,
  expectAtRest,
  makeHooks,
  sendToAll,
  unrecordedOf,
} from '#test/fixtures/drilled-deliveries.ts';
import { chosenSeed, seededRandom } from '#test/fixtures/seeded-random.ts';
import { until } from '#test/fixtures/until.ts';
import { type DrilledWorker, printFigures, withWorkerDrill } from '#test/fixtures/worker-drill.ts';

const running = withWorkerDrill({ WORKER_CONCURRENCY: '20' });

const HOOKS = 25;
const DELIVERIES = 1_000;
const KILLS = 5;

test('1,000 deliveries survive workers killed at random times', async () => {
  const seed = chosenSeed();
  const random = seededRandom(seed);
  const { receiver, startWorker } = running();
  let last: number | undefined;
  let longestGapMs = 0;
  receiver.respond(async () => {
    const now = performance.now();
    longestGapMs = Math.max(longestGapMs, now - (last ?? now));
    last = now;
    await sleep(50 + 400 * random());
    return { status: 200 };
  });
  const hooks = await makeHooks(HOOKS);
  const workers: DrilledWorker[] = [await startWorker(), await startWorker()];
  const moments = Array.from({ length: KILLS }, () => random() * 0.85 * DELIVERIES).toSorted((a, b) => a - b);

  await sendToAll(hooks, DELIVERIES / HOOKS);
  let duplicatesMax = 0;
  for (const moment of moments) {
    await until('enough deliveries have arrived', () => receiver.received.length > moment);
    const [victim] = workers.splice(Math.floor(random() * workers.length), 1);
    if (!victim) throw new Error('There is no worker to kill.');
    await victim.kill();
    duplicatesMax += await unrecordedOf(victim.poolIds, receiver.received);
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
