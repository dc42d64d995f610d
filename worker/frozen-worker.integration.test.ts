import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import {
  countTimedOut,
  expectAtRest,
  sendAndHold,
  sendToAll,
  unrecordedOf,
} from '#test/faults/deliveries.ts';
import { arrivals } from '#test/faults/delivery-keys.ts';
import { endLeaseSession } from '#test/faults/end-sessions.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import {
  test as baseTest,
  type FaultParts,
  type FaultyWorker,
  livePools,
} from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '20' }));

test('a worker on a suspended machine restarts, and only deliveries in flight may be sent twice', async ({
  database,
  receiver,
  createHooks,
  startWorker,
}) => {
  const { hooks, frozen, other, requests } = await freezeBusy({ receiver, createHooks, startWorker });
  const inFlight = await unrecordedOf(frozen.poolIds, receiver.received);
  // Respond while the worker is frozen: an attempt times out after 15 s, and a busy machine may take longer
  // to resume.
  requests.release();
  await endLeaseSession(database.url, frozen.pid);
  await allDelivered(hooks, 100);
  expect(new Set(await livePools())).toEqual(new Set(other.poolIds));

  frozen.thaw();
  await until('it has lost its leases', () => countLost(frozen) === POOLS);
  await sendToAll(hooks, 5);
  const leases = await until('it has registered again', async () => {
    const ids = await livePools();
    return ids.length === 2 * POOLS && ids;
  });
  expect(leases.some((id) => frozen.poolIds.includes(id))).toBe(false);
  await allDelivered(hooks, 150);
  const duplicates = receiver.received.length - arrivals(receiver.received).size;
  printFigures(`a frozen worker: ${duplicates} duplicates of at most ${inFlight}`);
  expect(duplicates).toBeLessThanOrEqual(inFlight + (await countTimedOut(hooks)));
  await expectAtRest(hooks, 150);

  await other.kill();
  await sendToAll(hooks, 2);
  await allDelivered(hooks, 170);
  expect(frozen.hasEnded()).toBe(false);
});

test('deliveries in flight of a worker without processor time for longer than its lease are sent once', async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  const {
    hooks,
    frozen: starved,
    other,
    requests,
  } = await freezeBusy({ receiver, createHooks, startWorker });
  requests.release();
  await until('its leases expired long ago', async () => (await runOutFor(starved.poolIds)) > STARVED_MS);
  starved.thaw();
  await allDelivered(hooks, 100);
  expect(receiver.received.length).toBe(100 + (await countTimedOut(hooks)));
  expect(await livePools()).toEqual(expect.arrayContaining([...starved.poolIds, ...other.poolIds]));
  await expectAtRest(hooks, 100);
});

test('a worker whose lease was deleted registers again and loses nothing', async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  const hooks = await createHooks(10);
  const worker = await startWorker();
  const requests = await sendAndHold(receiver, { hooks, events: 10, inFlight: IN_FLIGHT });
  await db().workerLease.deleteMany({ where: { poolId: { in: worker.poolIds } } });
  await until('it has registered again', async () => {
    const ids = await livePools();
    return ids.length >= POOLS && !ids.some((id) => worker.poolIds.includes(id));
  });
  requests.release();
  await allDelivered(hooks, 100);
  expect(receiver.received.length).toBe(100 + (await countTimedOut(hooks)));
  await expectAtRest(hooks, 100);
  expect(worker.hasEnded()).toBe(false);
});

/**
 * Starts two workers and freezes the first while its requests wait for their responses. The second worker was
 * frozen before and resumes: a start may take longer than the 15 seconds of an attempt on a busy machine.
 */
async function freezeBusy({ receiver, createHooks, startWorker }: FaultParts) {
  const hooks = await createHooks(10);
  const frozen = await startWorker();
  const other = await startWorker({ WORKER_CONCURRENCY: '125' });
  other.freeze();
  const requests = await sendAndHold(receiver, { hooks, events: 10, inFlight: IN_FLIGHT });
  frozen.freeze();
  other.thaw();
  return { hooks, frozen, other, requests };
}

const countLost = (worker: FaultyWorker) => worker.output().split('worker.lease_lost').length - 1;

/** Returns the time since the last of the pools' leases expired, in ms. */
async function runOutFor(poolIds: string[]): Promise<number> {
  const [row] = await db().$queryRaw<[{ ms: number }]>`
    select coalesce(extract(epoch from clock_timestamp() - max(expires_at)) * 1000, 'infinity')::float8 as ms
    from worker_leases where pool_id = any (${poolIds})`;
  return row.ms;
}

/**
 * Minimum deliveries in flight of each of these workers. The rest of the room is for hooks without a response
 * for 2 s.
 */
const IN_FLIGHT = 16;

/** Leases of a worker: jobs, outgoing mail, inbound mail, and deliveries. */
const POOLS = 4;

/** Time from the expiry of a worker's leases until it resumes, in ms. */
const STARVED_MS = 3_000;
