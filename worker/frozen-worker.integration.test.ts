import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import {
  allDelivered,
  arrivals,
  countTimedOut,
  expectAtRest,
  makeHooks,
  sendToAll,
  unrecordedOf,
} from '#test/fixtures/drilled-deliveries.ts';
import { until } from '#test/fixtures/until.ts';
import { type DrilledWorker, livePools, printFigures, withWorkerDrill } from '#test/fixtures/worker-drill.ts';
import { holdRequests } from '#test/servers/held-requests.ts';

const running = withWorkerDrill({ WORKER_CONCURRENCY: '20' });

/**
 * Minimum deliveries in flight of each of these workers. The rest of the room is for hooks without a response
 * for 2 s.
 */
const AT_ONCE = 16;

/** Leases of a worker: jobs, outgoing mail, inbound mail, and deliveries. */
const POOLS = 4;

/** Time from the expiry of a worker's leases until it resumes, in ms. */
const STARVED_MS = 3_000;

test('a worker on a suspended machine restarts, and only deliveries in flight may be sent twice', async () => {
  const { receiver } = running();
  const { hooks, frozen, other, requests } = await freezeWithFullHands();
  const inFlight = await unrecordedOf(frozen.poolIds, receiver.received);
  // Respond while the worker is frozen: an attempt times out after 15 s, and a busy machine may take longer
  // to resume.
  requests.letGo();
  await endSession(frozen.pid);
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

test('deliveries in flight of a worker without processor time for longer than its lease are sent once', async () => {
  const { receiver } = running();
  const { hooks, frozen: starved, other, requests } = await freezeWithFullHands();
  requests.letGo();
  await until('its leases expired long ago', async () => (await runOutFor(starved.poolIds)) > STARVED_MS);
  starved.thaw();
  await allDelivered(hooks, 100);
  expect(receiver.received.length).toBe(100 + (await countTimedOut(hooks)));
  expect(await livePools()).toEqual(expect.arrayContaining([...starved.poolIds, ...other.poolIds]));
  await expectAtRest(hooks, 100);
});

/**
 * Starts two workers and freezes the first while its requests wait for their responses. The second worker was
 * frozen before and resumes: a start may take longer than the 15 seconds of an attempt on a busy machine.
 */
async function freezeWithFullHands() {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(10);
  const frozen = await startWorker();
  const other = await startWorker({ WORKER_CONCURRENCY: '125' });
  other.freeze();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 10);
  await until('its room is full', () => requests.open() >= AT_ONCE);
  frozen.freeze();
  other.thaw();
  return { hooks, frozen, other, requests };
}

const countLost = (worker: DrilledWorker) => worker.output().split('worker.lease_lost').length - 1;

/** Ends a worker's lease session, as PostgreSQL does when a machine no longer responds on the network. */
async function endSession(pid: number): Promise<void> {
  await db().$queryRaw`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${`lease-${pid}`} and datname = current_database()`;
}

/** Returns the time since the last of the pools' leases expired, in ms. */
async function runOutFor(poolIds: string[]): Promise<number> {
  const [row] = await db().$queryRaw<[{ ms: number }]>`
    select coalesce(extract(epoch from clock_timestamp() - max(expires_at)) * 1000, 'infinity')::float8 as ms
    from worker_leases where pool_id = any (${poolIds})`;
  return row.ms;
}

test('a worker whose lease was deleted registers again and loses nothing', async () => {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(10);
  const worker = await startWorker();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 10);
  await until('its room is full', () => requests.open() >= AT_ONCE);
  await db().workerLease.deleteMany({ where: { poolId: { in: worker.poolIds } } });
  await until('it has registered again', async () => {
    const ids = await livePools();
    return ids.length >= POOLS && !ids.some((id) => worker.poolIds.includes(id));
  });
  requests.letGo();
  await allDelivered(hooks, 100);
  expect(receiver.received.length).toBe(100 + (await countTimedOut(hooks)));
  await expectAtRest(hooks, 100);
  expect(worker.hasEnded()).toBe(false);
});
