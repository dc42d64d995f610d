import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';

const running = withDeliveryService({ DELIVERY_RETRY_DELAYS: '1,1,2,2' });

/** The most of these moments, in milliseconds, that lie within so many seconds. */
function mostWithin(seconds: number, moments: number[]): number {
  const until = (from: number) => from + 1_000 * seconds;
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < until(from)).length));
}

/** Requests that a receiver may get in so many seconds at a pace, if those of `lateSeconds` before come with them. */
const most = (seconds: number, perSecond: number, lateSeconds: number) => (seconds + lateSeconds) * perSecond;

/**
 * Measures for how long this process, worker and receiver in one, did nothing at a time: what it was to start meanwhile
 * starts late, together with what follows.
 * @returns a function that ends this and returns the longest such time in seconds, one at least
 */
function watchStalls(): () => number {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  return () => {
    delay.disable();
    return Math.max(1, delay.max / 1e9);
  };
}

const allDelivered = (hookId: string, count: number) =>
  until(
    'all have arrived',
    async () => (await db().delivery.count({ where: { hookId, outcome: 'delivered' } })) === count,
  );

test('of a burst of 500 events to a receiver that throttles at 30 a second all arrive, and the hook lives', async () => {
  const hook = await makeHook(await makeConnection());
  const taken: number[] = [];
  const refused: number[] = [];
  running().receiver.respond(() => {
    const now = performance.now();
    if (taken.filter((at) => at > now - 1_000).length >= 30) {
      refused.push(now);
      return { status: 429, headers: { 'retry-after': '1' } };
    }
    taken.push(now);
    return { status: 200 };
  });
  const longestStall = watchStalls();
  await makeDeliveries(hook, 500);
  await allDelivered(hook.id, 500);
  const arrived = new Set(running().receiver.received.map(({ headers }) => headers['x-service-delivery']));
  expect(arrived.size).toBe(500);
  // After the first refusals it keeps under what the receiver takes. A busy machine may bunch a few starts together, so
  // the pace shows over some seconds: 20 a second, and those that were late.
  expect(refused.length).toBeLessThan(60);
  const settled = taken.filter((at) => at > (refused[0] ?? 0) + 2_000);
  expect(mostWithin(5, settled)).toBeLessThanOrEqual(most(5, 20, longestStall()));
  expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({
    removedAt: null,
    consecutiveErrors: 0,
  });
  expect((await hookCounts(hook.id)).unended).toBe(0);
});

test('a minute after the last 429 a hook is no longer paced, and what waited goes on', async () => {
  const hook = await makeHook(await makeConnection());
  await db().hook.update({ where: { id: hook.id }, data: { throttledAt: new Date(Date.now() - 59_000) } });
  const unpaced = await makeHook(await makeConnection());
  const deliver = async ({ id }: Hook) => {
    const start = performance.now();
    await allDelivered(id, 400);
    return performance.now() - start;
  };
  await Promise.all([makeDeliveries(hook, 400), makeDeliveries(unpaced, 400)]);
  const [pacedMs, unpacedMs] = await Promise.all([deliver(hook), deliver(unpaced)]);
  // Paced all the time, the first would take 20 s. The other one shows how long the machine takes without a pace.
  expect(pacedMs).toBeLessThan(10_000 + 2 * unpacedMs);
  expect((await hookCounts(hook.id)).unended).toBe(0);
});

test('HOOK_MAX_PER_SECOND sets a fixed pace', async () => {
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 10 });
  try {
    const hook = await makeHook(await makeConnection());
    const starts: number[] = [];
    running().receiver.respond(() => {
      starts.push(performance.now());
      return { status: 200 };
    });
    const longestStall = watchStalls();
    await makeDeliveries(hook, 30);
    await allDelivered(hook.id, 30);
    const lateSeconds = longestStall() - 1;
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(2_500 - 1_000 * lateSeconds);
    expect(mostWithin(2, starts)).toBeLessThanOrEqual(most(2, 10, lateSeconds) + 5);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  } finally {
    Object.assign(settings(), { HOOK_MAX_PER_SECOND: 0 });
  }
});

test('a hook paced to one a second still gets everything', async () => {
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 1 });
  try {
    const hook = await makeHook(await makeConnection());
    await makeDeliveries(hook, 4);
    await allDelivered(hook.id, 4);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  } finally {
    Object.assign(settings(), { HOOK_MAX_PER_SECOND: 0 });
  }
});

test('hooks of one connection share a pace once the receiver throttles the account, and all of a burst arrives', async () => {
  const connection = await makeConnection();
  const hooks = [];
  for (let n = 0; n < 6; n += 1) hooks.push(await makeHook(connection));
  const taken: number[] = [];
  const refused: number[] = [];
  running().receiver.respond(() => {
    const now = performance.now();
    if (taken.filter((at) => at > now - 1_000).length >= 33) {
      refused.push(now);
      return { status: 429 };
    }
    taken.push(now);
    return { status: 200 };
  });
  const [first] = hooks;
  if (!first) throw new Error('There are no hooks.');
  const longestStall = watchStalls();
  await makeDeliveries(first, 40);
  const hookId = { in: hooks.map(({ id }) => id) };
  await until(
    'all have arrived',
    async () => (await db().delivery.count({ where: { hookId, outcome: 'delivered' } })) === 240,
  );
  const settled = taken.filter((at) => at > (refused[0] ?? 0) + 2_000);
  expect(mostWithin(5, settled)).toBeLessThanOrEqual(most(5, 20, longestStall()));
  const { pacedUntil } = await db().connection.findUniqueOrThrow({ where: { id: connection.id } });
  expect(pacedUntil).not.toBeNull();
});
