import { expect, test } from 'vitest';
import { db } from '#server/ground/db.ts';
import {
  allDelivered,
  arrivals,
  expectAtRest,
  makeHooks,
  sendToAll,
  unrecordedOf,
} from '#test/drilled-deliveries.ts';
import { holdRequests } from '#test/held-requests.ts';
import { printFigures } from '#test/print-figures.ts';
import { until } from '#test/until.ts';
import { livePools, withWorkerDrill } from '#test/worker-drill.ts';

const running = withWorkerDrill({ WORKER_CONCURRENCY: '20' });

/** What each of these workers delivers at once: the rest is kept for slow hooks. */
const AT_ONCE = 16;

/** The pools that a worker holds leases for: jobs, mail, and deliveries. */
const POOLS = 3;

test('a worker that was frozen for longer than its lease starts again, and nothing is sent twice but what was in flight', async () => {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(10);
  const frozen = await startWorker();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 10);
  await until('it has its hands full', () => requests.open() === AT_ONCE);
  frozen.freeze();
  const inFlight = await unrecordedOf(frozen.poolIds, receiver.received);
  const other = await startWorker({ WORKER_CONCURRENCY: '125' });
  await until('another one has sent all', () => requests.open() === AT_ONCE + 100);
  expect(new Set(await livePools())).toEqual(new Set(other.poolIds));

  frozen.thaw();
  await sendToAll(hooks, 5);
  const leases = await until('it has registered again', async () => {
    const ids = await livePools();
    return ids.length === 2 * POOLS && ids;
  });
  expect(leases.some((id) => frozen.poolIds.includes(id))).toBe(false);
  requests.letGo();
  await allDelivered(hooks, 150);
  const duplicates = receiver.received.length - arrivals(receiver.received).size;
  printFigures(`a frozen worker: ${duplicates} duplicates of at most ${inFlight}`);
  expect(duplicates).toBeLessThanOrEqual(inFlight);
  await expectAtRest(hooks, 150);

  await other.kill();
  await sendToAll(hooks, 2);
  await allDelivered(hooks, 170);
  expect(frozen.hasEnded()).toBe(false);
});

test('a worker whose lease is deleted under it registers again and loses nothing', async () => {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(10);
  const worker = await startWorker();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 10);
  await until('it has its hands full', () => requests.open() === AT_ONCE);
  await db().workerLease.deleteMany({ where: { poolId: { in: worker.poolIds } } });
  await until('it has registered again', async () => {
    const ids = await livePools();
    return ids.length >= POOLS && !ids.some((id) => worker.poolIds.includes(id));
  });
  requests.letGo();
  await allDelivered(hooks, 100);
  expect(receiver.received.length).toBe(100);
  await expectAtRest(hooks, 100);
  expect(worker.hasEnded()).toBe(false);
});
