import { describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';
import { printFigures } from '#test/fixtures/worker-drill.ts';
import type { Received } from '#test/servers/receiver.ts';

const running = withDeliveryService({ WORKER_CONCURRENCY: '40' });

const HANGING = 'conversation.rated';
const isHanging = ({ headers }: Received) => headers['x-service-event'] === HANGING;

/** When the requests of all other hooks came, in milliseconds. */
const arrivals: number[] = [];

/** Answers all but the hanging hooks, whose requests hang until they are let go. */
function hang(): { open: () => number; spreadMs: () => number; letGo: () => void } {
  const open: (() => void)[] = [];
  const openedAt: number[] = [];
  let hangs = true;
  running().receiver.respond((request) => {
    if (!isHanging(request)) arrivals.push(performance.now());
    else if (hangs) {
      openedAt.push(performance.now());
      return new Promise((resolve) => open.push(() => resolve({ status: 200 })));
    }
    return { status: 200 };
  });
  return {
    open: () => open.length,
    /** Time between the first and the last of the hanging requests, in ms. */
    spreadMs: () => (openedAt.at(-1) ?? 0) - (openedAt[0] ?? 0),
    letGo: () => {
      hangs = false;
      for (const respond of open.splice(0)) respond();
    },
  };
}

const delivered = (hooks: Hook[]) =>
  db().delivery.count({ where: { hookId: { in: hooks.map(({ id }) => id) }, outcome: 'delivered' } });

/** Sends three events that all of these hooks listen for, and returns the 95th percentile of how long they took, in ms. */
async function slowestTwentieth([first, ...rest]: Hook[]): Promise<number> {
  if (!first) throw new Error('There are no hooks.');
  arrivals.length = 0;
  const count = 3 * (rest.length + 1);
  const start = performance.now();
  await makeDeliveries(first, 3);
  await until('all have arrived', () => arrivals.length === count);
  await until('all are recorded', async () => (await delivered([first, ...rest])) % count === 0);
  return (arrivals[Math.floor(count * 0.95)] ?? 0) - start;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

// `npm run bench -- isolation` asserts how little it delays them, on a machine that does nothing else.
test('a hanging hook among a hundred does not delay the others', async () => {
  const connection = await makeConnection();
  const hanging = await makeHook(connection, { event: HANGING });
  const others = await Promise.all(Array.from({ length: 99 }, () => makeHook(connection)));
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 1; round <= 5; round += 1) {
    const requests = hang();
    alone.push(await slowestTwentieth(others));
    await makeDeliveries(hanging, 30);
    await until('the hanging hook has all of its slots', () => requests.open() === 10);
    beside.push(await slowestTwentieth(others));
    requests.letGo();
    await until('it has got them', async () => (await delivered([hanging])) === 30 * round);
  }
  const figures = { alone: Math.round(median(alone)), beside: Math.round(median(beside)) };
  printFigures(`95th percentile, in ms: ${figures.alone} alone, ${figures.beside} beside a hanging hook`);
  // Each round measures both sides. Hooks that wait for a hanging one wait for up to 15 s.
  expect(figures.beside).toBeLessThan(1_000 + 2 * figures.alone);
});

test('hooks that answer nothing leave the worker to the others long before they run out of time', async () => {
  const connection = await makeConnection();
  const hanging: Hook[] = [];
  for (let n = 0; n < 4; n += 1) hanging.push(await makeHook(connection, { event: HANGING }));
  const other = await makeHook(connection);
  const requests = hang();
  const [first] = hanging;
  if (!first) throw new Error('There are no hooks.');
  await makeDeliveries(first, 10);
  await until('they have all of the worker but what is kept for slow ones', () => requests.open() >= 32);
  // Each hook is found to hang two seconds after its first request. On a busy machine one of them may begin so much later that
  // until then it has some of the room that the others have left.
  const isTogether = requests.spreadMs() < 1_000;
  await makeDeliveries(other, 40);
  await until('the other hook got all', async () => (await delivered([other])) === 40);
  if (isTogether) expect(requests.open()).toBe(32);
  expect(
    await db().delivery.count({ where: { attempts: { gt: 0 }, hookId: { not: other.id }, endedAt: null } }),
  ).toBe(0);
  requests.letGo();
  await until('the hanging ones got all too', async () => (await delivered(hanging)) === 40);
});

describe('hooks that lately ran out of time', () => {
  test('share a part of the worker, so that many of them leave the rest free', async () => {
    const connection = await makeConnection();
    const slow: Hook[] = [];
    for (let n = 0; n < 6; n += 1) {
      const hook = await makeHook(connection, { event: HANGING });
      slow.push(hook);
    }
    await db().hook.updateMany({
      where: { id: { in: slow.map(({ id }) => id) } },
      data: { timedOutAt: new Date() },
    });
    const other = await makeHook(connection);
    const requests = hang();
    const [first] = slow;
    if (!first) throw new Error('There are no slow hooks.');
    // All six listen for them: with ten in flight each they would take more than the whole worker.
    await makeDeliveries(first, 10);
    await until('their part of the worker is used up', () => requests.open() === 8);
    await makeDeliveries(other, 40);
    await until('the other hook got all', async () => (await delivered([other])) === 40);
    expect(requests.open()).toBe(8);
    requests.letGo();
    await until('the slow ones got all too', async () => (await delivered(slow)) === 60);
  });

  test('are like all others again once they have answered', async () => {
    const hook = await makeHook(await makeConnection());
    await db().hook.update({ where: { id: hook.id }, data: { timedOutAt: new Date() } });
    await makeDeliveries(hook, 1);
    await until('it has arrived', async () => (await delivered([hook])) === 1);
    expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({ timedOutAt: null });
  });
});
