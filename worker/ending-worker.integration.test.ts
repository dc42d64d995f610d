import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import {
  allDelivered,
  arrivals,
  countTimedOut,
  expectAtRest,
  makeHooks,
  sendToAll,
} from '#test/fixtures/drilled-deliveries.ts';
import { watchRenewals } from '#test/fixtures/lease-renewals.ts';
import { until } from '#test/fixtures/until.ts';
import { livePools, printFigures, withWorkerDrill } from '#test/fixtures/worker-drill.ts';
import { holdRequests } from '#test/servers/held-requests.ts';

// A fifth is kept for slow hooks, so that a hundred are in flight.
const running = withWorkerDrill({ WORKER_CONCURRENCY: '125' });

const HOOKS = 10;
const DELIVERIES = 150;
/**
 * Deliveries in flight at least: as many as fit into the part for hooks that have not responded for 2 s. On a busy machine the
 * others do not start before that. On a quiet one 100 are in flight.
 */
const IN_FLIGHT_MIN = 20;
/**
 * Upper bound on the worker's lease renewals from SIGTERM to its exit. A worker that ended by its timeout of 19 s, and not
 * because all deliveries had finished, would renew its leases 38 times.
 */
const RENEWALS_MAX = 30;

test('SIGTERM with many in flight: they end, the rest is left to the next worker, and each arrives once', async () => {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(HOOKS);
  const worker = await startWorker();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, DELIVERIES / HOOKS);
  await until('many are in flight', () => requests.open() >= IN_FLIGHT_MIN);

  const renewals = await watchRenewals();
  const askedAt = performance.now();
  const exitCode = worker.stop();
  await until(
    'it takes up nothing more',
    async () => (await db().queuedHook.count({ where: { claimedBy: null } })) === 0,
  );
  expect(worker.hasEnded()).toBe(false);
  requests.letGo();
  expect(await exitCode).toBe(0);
  const tookMs = performance.now() - askedAt;
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
    `a worker that was asked to end: ${inFlight} in flight, ended in ${Math.round(tookMs)} ms, ` +
      `${receiver.received.length} requests for ${DELIVERIES} deliveries`,
  );
  expect(arrived.size).toBe(DELIVERIES);
  expect(receiver.received.length).toBe(DELIVERIES + (await countTimedOut(hooks)));
  await expectAtRest(hooks, DELIVERIES);
});
