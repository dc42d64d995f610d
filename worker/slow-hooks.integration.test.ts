import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { allDelivered, countDelivered, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';
import type { Received, startReceiver } from '#test/servers/receiver.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '40' }));

// `npm run bench -- isolation` measures the delay on an idle machine.
test('a hanging hook among a hundred does not delay the others', async ({ connection, receiver }) => {
  const hanging = await makeHook(connection, { event: HANGING });
  const others = await Promise.all(Array.from({ length: 99 }, () => makeHook(connection)));
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 1; round <= 5; round += 1) {
    const requests = hang(receiver);
    alone.push(await slowestTwentieth(others));
    await makeDeliveries(hanging, 30);
    await until('the hanging hook uses all of its slots', () => requests.open() === 10);
    beside.push(await slowestTwentieth(others));
    requests.release();
    await allDelivered([hanging], 30 * round);
  }
  const figures = { alone: Math.round(median(alone)), beside: Math.round(median(beside)) };
  printFigures(`95th percentile, in ms: ${figures.alone} alone, ${figures.beside} beside a hanging hook`);
  // Each round measures both sides. Hooks that wait for a hanging one would wait up to 15 s.
  expect(figures.beside).toBeLessThan(1_000 + 2 * figures.alone);
});

test('hanging hooks leave room for other hooks long before their requests time out', async ({
  connection,
  receiver,
}) => {
  const hanging: Hook[] = [];
  for (let n = 0; n < 4; n += 1) hanging.push(await makeHook(connection, { event: HANGING }));
  const other = await makeHook(connection);
  const requests = hang(receiver);
  const [first] = hanging;
  if (!first) throw new Error('There are no hooks.');
  await makeDeliveries(first, 10);
  await until('all slots for fast hooks are in use', () => requests.open() >= 32);
  // A hook counts as hanging two seconds after its first request. On a busy machine one of them may start so late
  // that it briefly uses slots that the others have freed.
  const isTogether = requests.spreadMs() < 1_000;
  await makeDeliveries(other, 40);
  await allDelivered([other], 40);
  if (isTogether) expect(requests.open()).toBe(32);
  expect(
    await db().delivery.count({ where: { attempts: { gt: 0 }, hookId: { not: other.id }, endedAt: null } }),
  ).toBe(0);
  requests.release();
  await allDelivered(hanging, 40);
});

describe('hooks that timed out recently', () => {
  test('share some of the slots, and leave the others free', async ({ connection, receiver }) => {
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
    const requests = hang(receiver);
    const [first] = slow;
    if (!first) throw new Error('There are no slow hooks.');
    // All six hooks listen for these events: ten in flight each would exceed the whole worker.
    await makeDeliveries(first, 10);
    await until('all slots for slow hooks are in use', () => requests.open() === 8);
    await makeDeliveries(other, 40);
    await allDelivered([other], 40);
    expect(requests.open()).toBe(8);
    requests.release();
    await allDelivered(slow, 60);
  });

  test('count as fast again after a response', async () => {
    const hook = await makeHook(await makeConnection());
    await db().hook.update({ where: { id: hook.id }, data: { timedOutAt: new Date() } });
    await makeDeliveries(hook, 1);
    await allDelivered([hook], 1);
    expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({ timedOutAt: null });
  });
});

const HANGING = 'conversation.rated';
const isHanging = ({ headers }: Received) => headers['x-service-event'] === HANGING;

/** Arrival times of the requests of all other hooks, in ms. */
const arrivals: number[] = [];

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Responds to all hooks except the hanging ones, whose requests wait until they are released. */
function hang(receiver: Receiver): { open: () => number; spreadMs: () => number; release: () => void } {
  const open: (() => void)[] = [];
  const openedAt: number[] = [];
  let hangs = true;
  receiver.respond((request) => {
    if (!isHanging(request)) arrivals.push(performance.now());
    else if (hangs) {
      openedAt.push(performance.now());
      return new Promise((resolve) => open.push(() => resolve({ status: 200 })));
    }
    return { status: 200 };
  });
  return {
    open: () => open.length,
    spreadMs: () => (openedAt.at(-1) ?? 0) - (openedAt[0] ?? 0),
    release: () => {
      hangs = false;
      for (const respond of open.splice(0)) respond();
    },
  };
}

/**
 * Sends three events to all of these hooks.
 * @returns the 95th percentile of their arrival times, in ms
 */
async function slowestTwentieth([first, ...rest]: Hook[]): Promise<number> {
  if (!first) throw new Error('There are no hooks.');
  arrivals.length = 0;
  const count = 3 * (rest.length + 1);
  const start = performance.now();
  await makeDeliveries(first, 3);
  await until('all have arrived', () => arrivals.length === count);
  await until('all are recorded', async () => (await countDelivered([first, ...rest])) % count === 0);
  return (arrivals[Math.floor(count * 0.95)] ?? 0) - start;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
