import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { endLeaseSession } from '#test/faults/end-sessions.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { type Leases, maintainLeases } from '#worker/leases.ts';

const test = serviceTest.extend('startLeases', ({ service: _ }, { onCleanup }) => leaseStarter(onCleanup));

test('a lease is renewed as long as its pool lives, and no longer', async ({ startLeases }) => {
  const leases = startLeases();
  const loss = watchLoss();
  await leases.hold('alive', loss.onLost);
  const first = (await leaseOf('alive'))?.expiresAt ?? new Date();
  await until('the lease was renewed twice', async () => {
    const { expiresAt = first } = (await leaseOf('alive')) ?? {};
    return expiresAt.getTime() - first.getTime() > 1_500;
  });
  expect(loss.isLost()).toBe(false);
  await leases.release('alive');
  expect(await leaseOf('alive')).toBeNull();
});

test('any worker deletes an expired lease and frees its jobs, and a living pool is notified', async ({
  startLeases,
}) => {
  const [frozen, other] = [startLeases(), startLeases()];
  const loss = watchLoss();
  await other.hold('other', () => undefined);
  await lockJob('dead');
  await db().workerLease.create({ data: { poolId: 'dead', expiresAt: new Date(Date.now() - 1) } });
  await until('its job is free', async () => (await lockedBy('dead')) === 0);
  expect(await leaseOf('dead')).toBeNull();

  await frozen.hold('frozen', loss.onLost);
  await db().workerLease.delete({ where: { poolId: 'frozen' } });
  await until('the worker is notified', loss.isLost);
});

test('a pool of a slow process keeps its lease and jobs until its work must have ended', async ({
  startLeases,
}) => {
  const slow = await makeSlowProcess(startLeases, ['slow', 'halted']);
  await makeRunOut('slow', 5_000);
  await makeRunOut('halted', 21_000);
  await makeRunOut('dead', 1);
  startLeases();
  await until(
    'the other pools are freed',
    async () => !(await leaseOf('dead')) && !(await leaseOf('halted')),
  );
  await db().workerLease.create({ data: { poolId: 'later', expiresAt: new Date(Date.now() - 1) } });
  await until('another check has run', async () => !(await leaseOf('later')));
  expect(await leaseOf('slow')).not.toBeNull();
  expect(await lockedBy('slow')).toBeGreaterThan(0);
  expect(await lockedBy('halted')).toBe(0);

  await slow.stop();
  await until('its lease is deleted', async () => !(await leaseOf('slow')));
  expect(await lockedBy('slow')).toBe(0);
});

test('a process whose session ended opens another one immediately, so that it still counts as alive', async ({
  startLeases,
}) => {
  const slow = await makeSlowProcess(startLeases, ['slow']);
  await endLeaseSession(settings().DATABASE_URL, process.pid);
  await until('it holds its lock again', async () => (await locksHeld()) === 1);
  await makeRunOut('slow', 5_000);
  await makeRunOut('dead', 1);
  startLeases();
  await until('the other pool is freed', async () => !(await leaseOf('dead')));
  expect(await leaseOf('slow')).not.toBeNull();
  await slow.release('slow');
  await until('the pool is freed as well', async () => !(await leaseOf('slow')));
});

test('a process with a session is sure of its leases for longer than their duration, but not until others take over', async ({
  startLeases,
}) => {
  const leases = startLeases();
  await leases.hold('mine', () => undefined);
  expect(leases.areSure()).toBe(true);
  // Nothing is awaited in between, so no renewal can happen.
  const renewedAt = performance.now() - leases.renewedAgoMs();
  const isSureAfter = (ms: number) => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(renewedAt + ms);
    const isSure = leases.areSure();
    clock.mockRestore();
    return isSure;
  };
  expect([3_000, 4_900, 5_100].map(isSureAfter)).toEqual([true, true, false]);
  const rival = new Client({ connectionString: settings().DATABASE_URL });
  await rival.connect();
  await rival.query(`begin; select from worker_leases where pool_id = 'mine' for update`);
  await until('it is no longer sure of its leases', () => !leases.areSure());
  expect(leases.renewedAgoMs()).toBeGreaterThanOrEqual(5_000);
  await rival.query('rollback');
  await rival.end();
  await until('the lease has been renewed', () => leases.areSure());
});

test('a concurrent renewal does not treat a new lease as lost', async ({ startLeases }) => {
  const leases = startLeases();
  const loss = watchLoss();
  let poolId = '';
  // On a busy machine the insert of the lease may time out before a renewal happens. Then try another lease.
  await until('a lease is created during a renewal', () => {
    poolId = randomUUID();
    return holdDuringRenewal(leases, poolId, loss.onLost);
  });
  expect(loss.isLost()).toBe(false);
  const first = (await leaseOf(poolId))?.expiresAt ?? new Date();
  await until('the lease is renewed', async () => {
    const lease = await leaseOf(poolId);
    return lease !== null && lease.expiresAt.getTime() > first.getTime();
  });
});

test('a stopping pool frees its jobs, even if another worker has already deleted its lease', async ({
  startLeases,
}) => {
  const leases = startLeases();
  await leases.hold('ending', () => undefined);
  await db().workerLease.delete({ where: { poolId: 'ending' } });
  await lockJob('ending');
  await leases.release('ending');
  expect(await lockedBy('ending')).toBe(0);
});

test('a lease is deleted when it expires, not half a second later', async ({ startLeases }) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  /**
   * Returns whether a pause is for a check at the expiry of a lease: all other pauses are whole numbers or
   * 500 ms.
   */
  const isEarly = (ms: number | undefined) => ms !== undefined && ms < 500 && !Number.isInteger(ms);
  const pauses = () => timers.mock.calls.map(([, ms]) => ms).filter((ms) => isEarly(ms) || ms === 500);
  startLeases();
  let endedInTime = 0;
  for (let n = 0; n < DYING; n += 1) {
    timers.mockClear();
    const poolId = `dying ${n}`;
    await db().$executeRaw`
      insert into worker_leases values (${poolId}, clock_timestamp() + make_interval(secs => ${0.75 + n / 20}))`;
    // The check has finished once the next one is scheduled.
    await until('a check was scheduled for its expiry, or the lease is deleted', async () => {
      const early = pauses().findIndex(isEarly);
      return (early >= 0 && pauses().length > early + 1) || (await leaseOf(poolId)) === null;
    });
    const wasScheduled = pauses().some(isEarly);
    if (wasScheduled && (await leaseOf(poolId)) === null) endedInTime += 1;
    await until('the lease is deleted', async () => (await leaseOf(poolId)) === null);
  }
  timers.mockRestore();
  expect(endedInTime).toBeGreaterThanOrEqual(1);
});

/** Creates a process with a session but without renewals for these pools, as if starved of processor time. */
async function makeSlowProcess(startLeases: () => Leases, poolIds: string[]): Promise<Leases> {
  const slow = startLeases();
  for (const poolId of poolIds) {
    const loss = watchLoss();
    await slow.hold(poolId, loss.onLost);
    await db().workerLease.delete({ where: { poolId } });
    await until('the lease is no longer renewed', loss.isLost);
  }
  return slow;
}

async function makeRunOut(poolId: string, ranOutMs: number): Promise<void> {
  await lockJob(poolId);
  await db().workerLease.create({ data: { poolId, expiresAt: new Date(Date.now() - ranOutMs) } });
}

/** Counts the advisory locks that show which processes are alive. */
async function locksHeld(): Promise<number> {
  const [row] = await db().$queryRaw<[{ count: number }]>`
    select count(*)::int as count from pg_locks
    where locktype = 'advisory' and classid = 4522 and granted
      and database = (select oid from pg_database where datname = current_database())`;
  return row.count;
}

/**
 * Inserts a lease in a statement that waits until all other leases were renewed.
 * @returns whether the lease exists
 */
async function holdDuringRenewal(leases: Leases, poolId: string, onLost: () => void): Promise<boolean> {
  const rival = new Client({ connectionString: settings().DATABASE_URL });
  await rival.connect();
  await rival.query('begin');
  await rival.query(`insert into worker_leases (pool_id, expires_at) values ($1, now())`, [poolId]);
  const held = leases.hold(poolId, onLost).then(
    () => true,
    () => false,
  );
  const { promise: renewed, resolve } = Promise.withResolvers<void>();
  await leases.hold(`renewed ${poolId}`, () => resolve());
  await db().workerLease.delete({ where: { poolId: `renewed ${poolId}` } });
  await renewed;
  await rival.query('rollback');
  await rival.end();
  return held;
}

/** Number of leases. At least one must end in time: a failed renewal on a busy machine suspends the check. */
const DYING = 5;

function watchLoss() {
  let isLost = false;
  return {
    isLost: () => isLost,
    onLost: () => {
      isLost = true;
    },
  };
}

const leaseOf = (poolId: string) => db().workerLease.findUnique({ where: { poolId } });

async function lockJob(poolId: string): Promise<void> {
  await db().$executeRaw`select (graphile_worker.add_job('send-message', '{}')).id`;
  await db()
    .$executeRaw`update graphile_worker._private_jobs set locked_by = ${poolId}, locked_at = now() where locked_by is null`;
}

async function lockedBy(poolId: string): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    select count(*)::int as count from graphile_worker._private_jobs where locked_by = ${poolId}`;
  return row?.count ?? 0;
}

/** Returns a function that starts the leases of a process, which end with the test. */
function leaseStarter(onCleanup: (stop: () => Promise<void>) => void): () => Leases {
  const started = new Set<Leases>();
  onCleanup(async () => {
    await Promise.all([...started].map((leases) => leases.stop()));
    await db().workerLease.deleteMany();
  });
  return () => {
    const leases = maintainLeases();
    // A test may stop some of them itself.
    const stop = async () => {
      if (started.delete(stoppable)) await leases.stop();
    };
    const stoppable = { ...leases, stop };
    started.add(stoppable);
    return stoppable;
  };
}
