import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { allDelivered, hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ DELIVERY_RETRY_DELAYS: '1,1,2,2' }));

test('all of a burst of 500 events arrive at a receiver that throttles at 30 a second, and the hook stays live', async ({
  receiver,
}) => {
  const hook = await makeHook(await makeConnection());
  const taken: number[] = [];
  const refused: number[] = [];
  receiver.respond(() => {
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
  await allDelivered([hook], 500);
  const arrived = new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']));
  expect(arrived.size).toBe(500);
  // After the first refusals the pace stays below the receiver's limit. A busy machine may bunch a few starts
  // together, so measure over some seconds: 20 a second, plus delayed starts.
  expect(refused.length).toBeLessThan(60);
  const settled = taken.filter((at) => at > (refused[0] ?? 0) + 2_000);
  expect(mostWithin(5, settled)).toBeLessThanOrEqual(most(5, 20, longestStall()));
  expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({
    removedAt: null,
    consecutiveErrors: 0,
  });
  expect((await hookCounts(hook.id)).unended).toBe(0);
});

test('a minute after the last 429 a hook is no longer paced, and waiting deliveries continue', async () => {
  const hook = await makeHook(await makeConnection());
  await db().hook.update({ where: { id: hook.id }, data: { throttledAt: new Date(Date.now() - 59_000) } });
  const unpaced = await makeHook(await makeConnection());
  const deliver = async (each: Hook) => {
    const start = performance.now();
    await allDelivered([each], 400);
    return performance.now() - start;
  };
  await Promise.all([makeDeliveries(hook, 400), makeDeliveries(unpaced, 400)]);
  const [pacedMs, unpacedMs] = await Promise.all([deliver(hook), deliver(unpaced)]);
  // With the pace the first hook would take 20 s. The second hook is the control without a pace.
  expect(pacedMs).toBeLessThan(10_000 + 2 * unpacedMs);
  expect((await hookCounts(hook.id)).unended).toBe(0);
});

test('HOOK_MAX_PER_SECOND sets a fixed pace', async ({ receiver }) => {
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 10 });
  try {
    const hook = await makeHook(await makeConnection());
    const starts: number[] = [];
    receiver.respond(() => {
      starts.push(performance.now());
      return { status: 200 };
    });
    const longestStall = watchStalls();
    await makeDeliveries(hook, 30);
    await allDelivered([hook], 30);
    const lateSeconds = longestStall() - 1;
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(2_500 - 1_000 * lateSeconds);
    expect(mostWithin(2, starts)).toBeLessThanOrEqual(most(2, 10, lateSeconds) + 5);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  } finally {
    Object.assign(settings(), { HOOK_MAX_PER_SECOND: 0 });
  }
});

test('a hook with a pace of one a second still gets everything', async () => {
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 1 });
  try {
    const hook = await makeHook(await makeConnection());
    await makeDeliveries(hook, 4);
    await allDelivered([hook], 4);
    expect((await hookCounts(hook.id)).unended).toBe(0);
  } finally {
    Object.assign(settings(), { HOOK_MAX_PER_SECOND: 0 });
  }
});

test('hooks of one connection share a pace once the receiver throttles the account, and all of a burst arrive', async ({
  connection,
  receiver,
}) => {
  const hooks = [];
  for (let n = 0; n < 6; n += 1) hooks.push(await makeHook(connection));
  const taken: number[] = [];
  const refused: number[] = [];
  receiver.respond(() => {
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
  await allDelivered(hooks, 240);
  const settled = taken.filter((at) => at > (refused[0] ?? 0) + 2_000);
  expect(mostWithin(5, settled)).toBeLessThanOrEqual(most(5, 20, longestStall()));
  const { pacedUntil } = await db().connection.findUniqueOrThrow({ where: { id: connection.id } });
  expect(pacedUntil).not.toBeNull();
});

/** Returns the maximum number of timestamps, in ms, within any window of `seconds`. */
function mostWithin(seconds: number, moments: number[]): number {
  const until = (from: number) => from + 1_000 * seconds;
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < until(from)).length));
}

/**
 * Returns the maximum number of requests within `seconds` at a pace, including delayed ones of `lateSeconds`
 * before.
 */
const most = (seconds: number, perSecond: number, lateSeconds: number) => (seconds + lateSeconds) * perSecond;

/**
 * Measures the longest stall of this process, which is both worker and receiver: starts during a stall happen
 * late, together with later ones.
 * @returns a function that stops and returns the longest stall in seconds, at least 1
 */
function watchStalls(): () => number {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  return () => {
    delay.disable();
    return Math.max(1, delay.max / 1e9);
  };
}
