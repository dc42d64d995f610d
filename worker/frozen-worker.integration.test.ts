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

/** Deliveries that each of these workers has in flight at least. The rest is kept for hooks that have not answered for 2 s. */
const AT_ONCE = 16;

/** The leases that a worker holds: for jobs, outgoing mail, inbound mail, and deliveries. */
const POOLS = 4;

/** So long after its lease has run out a worker gets the processor back, in milliseconds. */
const STARVED_MS = 3_000;

test('a worker on a machine that was suspended starts again, and nothing is sent twice but what was in flight', async () => {
  const { receiver } = running();
  const { hooks, frozen, other, requests } = await freezeWithFullHands();
  const inFlight = await unrecordedOf(frozen.poolIds, receiver.received);
  // Answered while it is halted: an attempt times out after 15 s, and a busy machine may take longer to go on.
  requests.letGo();
  await endSession(frozen.pid);
  await allDelivered(hooks, 100);
  expect(new Set(await livePools())).toEqual(new Set(other.poolIds));

  frozen.thaw();
  await until('it knows that its leases are lost', () => countLost(frozen) === POOLS);
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

test('what a worker has in flight that gets no processor for longer than its lease is sent once', async () => {
  const { receiver } = running();
  const { hooks, frozen: starved, other, requests } = await freezeWithFullHands();
  requests.letGo();
  await until('its leases ran out long ago', async () => (await runOutFor(starved.poolIds)) > STARVED_MS);
  starved.thaw();
  await allDelivered(hooks, 100);
  expect(receiver.received.length).toBe(100 + (await countTimedOut(hooks)));
  expect(await livePools()).toEqual(expect.arrayContaining([...starved.poolIds, ...other.poolIds]));
  await expectAtRest(hooks, 100);
});

/**
 * Two workers, of which one is halted while its requests wait for their responses. The other one was halted meanwhile and goes on:
 * it is started before, as an attempt may take 15 seconds and a start takes long on a busy machine.
 */
async function freezeWithFullHands() {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(10);
  const frozen = await startWorker();
  const other = await startWorker({ WORKER_CONCURRENCY: '125' });
  other.freeze();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 10);
  await until('it has its hands full', () => requests.open() >= AT_ONCE);
  frozen.freeze();
  other.thaw();
  return { hooks, frozen, other, requests };
}

/** Returns how many leases a worker logged as lost. */
const countLost = (worker: DrilledWorker) => worker.output().split('worker.lease_lost').length - 1;

/** As PostgreSQL does with the session of a machine that no longer answers on the network. */
async function endSession(pid: number): Promise<void> {
  await db().$queryRaw`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${`lease-${pid}`} and datname = current_database()`;
}

/** How long ago the leases of pools ran out, in milliseconds; the one that did so last counts. */
async function runOutFor(poolIds: string[]): Promise<number> {
  const [row] = await db().$queryRaw<[{ ms: number }]>`
    select coalesce(extract(epoch from clock_timestamp() - max(expires_at)) * 1000, 'infinity')::float8 as ms
    from worker_leases where pool_id = any (${poolIds})`;
  return row.ms;
}

test('a worker whose lease is deleted under it registers again and loses nothing', async () => {
  const { receiver, startWorker } = running();
  const hooks = await makeHooks(10);
  const worker = await startWorker();
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 10);
  await until('it has its hands full', () => requests.open() >= AT_ONCE);
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
