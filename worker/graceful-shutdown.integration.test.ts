import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { countTimedOut, expectAtRest, sendAndHold } from '#test/faults/deliveries.ts';
import { arrivals } from '#test/faults/delivery-keys.ts';
import { watchRenewals } from '#test/faults/lease-renewals.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import { test as baseTest, livePools } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

// A fifth is reserved for slow hooks, so 100 are in flight.
const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '125' }));

const HOOKS = 10;
const DELIVERIES = 150;

test('on SIGTERM deliveries in flight finish, the next worker sends the rest, and each arrives once', async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  const hooks = await createHooks(HOOKS);
  const worker = await startWorker();
  const requests = await sendAndHold(receiver, {
    hooks,
    events: DELIVERIES / HOOKS,
    inFlight: IN_FLIGHT_MIN,
  });

  const renewals = await watchRenewals();
  const stoppedAt = performance.now();
  const exitCode = worker.stop();
  await until(
    'it claims no more hooks',
    async () => (await db().queuedHook.count({ where: { claimedBy: null } })) === 0,
  );
  expect(worker.hasEnded()).toBe(false);
  requests.release();
  expect(await exitCode).toBe(0);
  const tookMs = performance.now() - stoppedAt;
  expect(await renewals()).toBeLessThan(RENEWALS_MAX);
  expect(await livePools()).toEqual([]);
  const inFlight = receiver.received.length;
  const recorded = await db().delivery.count({ where: { outcome: 'delivered' } });
  expect(recorded + (await countTimedOut(hooks))).toBe(inFlight);
  expect(inFlight).toBeLessThan(DELIVERIES);

  await startWorker();
  await allDelivered(hooks, DELIVERIES);
  const arrived = arrivals(receiver.received);
  printFigures(
    `a stopped worker: ${inFlight} in flight, exited in ${Math.round(tookMs)} ms, ` +
      `${receiver.received.length} requests for ${DELIVERIES} deliveries`,
  );
  expect(arrived.size).toBe(DELIVERIES);
  expect(receiver.received.length).toBe(DELIVERIES + (await countTimedOut(hooks)));
  await expectAtRest(hooks, DELIVERIES);
});

/**
 * Minimum deliveries in flight: those that fit into the part for slow hooks. A busy machine may treat hooks
 * as slow after 2 s without a response. A quiet machine has 100 in flight.
 */
const IN_FLIGHT_MIN = 20;

/**
 * Maximum lease renewals of the worker from SIGTERM to its exit. Reaching the timeout of 19 s, instead of
 * finishing all deliveries, would take 38 renewals.
 */
const RENEWALS_MAX = 30;
