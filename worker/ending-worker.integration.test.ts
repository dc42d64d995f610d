import { expect, test } from 'vitest';
import { db } from '#server/core/database/db.ts';
import {
  allDelivered,
  arrivals,
  expectAtRest,
  makeHooks,
  sendToAll,
} from '#test/fixtures/drilled-deliveries.ts';
import { watchRenewals } from '#test/fixtures/lease-renewals.ts';
import { until } from '#test/fixtures/until.ts';
import { livePools, printFigures, withWorkerDrill } from '#test/fixtures/worker-drill.ts';
import { holdRequests } from '#test/servers/held-requests.ts';

// A fifth is kept for slow hooks, so that a hundred are in flight at once.
const running = withWorkerDrill({ WORKER_CONCURRENCY: '125' });

const HOOKS = 10;
const IN_FLIGHT = 100;
const DELIVERIES = 150;
/**
 * Upper bound on the worker's lease renewals from SIGTERM to its exit. A worker that ended by its timeout of 19 s, and not
 * because all deliveries had finished, would renew its leases 38 times.
 */
const RENEWALS_MAX = 30;

test('SIGTERM with 100 in flight: they end, the rest is left to the next worker, and each arrives once', async () => {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(HOOKS);
  const worker = await startWorker();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, DELIVERIES / HOOKS);
  await until('a hundred are in flight', () => requests.open() === IN_FLIGHT);

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
  expect(receiver.received.length).toBe(IN_FLIGHT);
  expect(await db().delivery.count({ where: { outcome: 'delivered' } })).toBe(IN_FLIGHT);

  await startWorker();
  await allDelivered(hooks, DELIVERIES);
  const arrived = arrivals(receiver.received);
  printFigures(
    `a worker that was asked to end: ${IN_FLIGHT} in flight, ended in ${Math.round(tookMs)} ms, ` +
      `${receiver.received.length} requests for ${DELIVERIES} deliveries`,
  );
  expect(arrived.size).toBe(DELIVERIES);
  expect(receiver.received.length).toBe(DELIVERIES);
  await expectAtRest(hooks, DELIVERIES);
});
