import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { expect, vi } from 'vitest';
import { pool, sessionPool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { moveJobs } from '#server/core/jobs/outbox.ts';
import { log, makeLog } from '#server/core/log.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import type { Leases } from '#worker/leases.ts';
import { type JobRunner, runJobs } from '#worker/run-jobs.ts';

const test = serviceTest.extend('prepare', ({ service: _ }, { onCleanup }) => preparer(onCleanup));

test('no job is locked or started before its pool holds a lease, so that a killed worker leaves no locked job', async ({
  prepare,
}) => {
  await queueProbe();
  const holding = Promise.withResolvers<void>();
  let begun = 0;
  const { start, requested } = prepare(async () => {
    begun += 1;
  }, holding.promise);
  const starting = start();
  await until('its pool requests a lease', () => requested.length === 1);
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) expect(await countLocked()).toBe(0);
  expect(begun).toBe(0);
  holding.resolve();
  await starting;
  await until('the job has started', () => begun === 1);
});

test('a pool declared dead is replaced by one other pool, even if notified twice', async ({ prepare }) => {
  let done = 0;
  const { start, held, released, loseAll } = prepare(async () => {
    done += 1;
  });
  await start();
  const [dead] = held.keys();
  loseAll();
  loseAll();
  await until('the dead pool has ended', () => released.length === 1);
  await until('there is another pool', () => held.size === 2);
  expect(released).toEqual([dead]);
  await queueProbe();
  await until('jobs run', () => done === 1);
  expect(held.size).toBe(2);
});

test('pools register the names of their tasks in one order, so two workers on a new database do not deadlock', async ({
  prepare,
}) => {
  const { start } = prepare(async () => undefined);
  const names = ['order-c', 'order-b', 'order-a'];
  const client = await pool().connect();
  const insert = (name: string) =>
    client.query('insert into graphile_worker._private_tasks (identifier) values ($1)', [name]);
  try {
    await client.query('begin');
    await insert('order-b');
    const starting = start(names);
    await until('it waits for the other worker', async () => (await countLockWaiters()) === 1);
    await insert('order-c');
    await client.query('commit');
    await starting;
  } finally {
    client.release();
  }
  await until('all are registered', async () => {
    const { rows } = await pool().query(
      "select identifier from graphile_worker._private_tasks where identifier like 'order-%'",
    );
    return rows.length === names.length;
  });
});

test('a job that only a newer release knows stays in the queue, as it was', async ({ prepare }) => {
  await forgetJobs();
  let done = 0;
  const { start } = prepare(async () => {
    done += 1;
  });
  await start();
  await pool().query(`insert into job_outbox (task, payload) values ('of-a-newer-release', '{"a":1}')`);
  await moveJobs();
  await queueProbe();
  await until('a later job has run', () => done === 1);
  const { rows } = await pool().query(
    `select attempts, last_error, locked_at from graphile_worker.jobs where task_identifier = 'of-a-newer-release'`,
  );
  expect(rows).toEqual([{ attempts: 0, last_error: null, locked_at: null }]);
});

test('a replaced pool finishes its jobs in flight before it ends', async ({ prepare }) => {
  const finish = Promise.withResolvers<void>();
  let begun = 0;
  const { start, held, released, loseAll } = prepare(async () => {
    begun += 1;
    if (begun === 1) await finish.promise;
  });
  await start();
  await queueProbe();
  await until('the job is running', () => begun === 1);
  loseAll();
  await until('there is another pool', () => held.size === 2);
  await queueProbe();
  await until('the new pool works', () => begun === 2);
  expect(released).toEqual([]);
  finish.resolve();
  await until('the first pool has ended', () => released.length === 1);
});

test('a pool that cannot poll for jobs is replaced', async ({ prepare }) => {
  let done = 0;
  const { start, held } = prepare(async () => {
    done += 1;
  });
  await start();
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`lock table graphile_worker._private_jobs in access exclusive mode`;
    await until('the pool polls', async () => (await countLockWaiters()) > 0);
    await tx.$executeRaw`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until('there is another pool', () => held.size === 2);
  });
  await queueProbe();
  await until('jobs run', () => done === 1);
});

test('a pool that cannot record the end of a job is replaced, and ends', async ({ prepare }) => {
  const { start, held, released } = prepare(async () => undefined);
  await start();
  const [failed] = held.keys();
  const endFailure = await failWrites(['graphile_worker._private_jobs'], {
    on: 'delete',
    message: 'refused',
  });
  await queueProbe();
  await until('there is another pool', () => held.size === 2);
  await until('the first pool has ended', () => released.length === 1);
  expect(released).toEqual([failed]);
  await endFailure();
});

test('a listener whose connection times out after its pool has ended does not crash the process', async ({
  prepare,
}) => {
  const { start } = prepare(async () => undefined);
  const listener = catchListener();
  const jobPool = await start();
  const connected = await listener();
  await jobPool.stop();
  // When all connections stay in use, pg-pool passes only the error.
  const timeOut = () =>
    Reflect.apply(connected, undefined, [new Error('timeout exceeded when trying to connect')]);
  expect(timeOut).not.toThrow();
});

test('a connection that the library releases twice, after LISTEN fails during shutdown, is released once', async ({
  prepare,
}) => {
  const { start } = prepare(async () => undefined);
  const listener = catchListener();
  const jobPool = await start();
  const connected = await listener();
  const listening = Promise.withResolvers<void>();
  const query = (text: string) => (text.startsWith('LISTEN') ? listening.promise : Promise.resolve());
  const release = vi.fn();
  const client = Object.assign(new EventEmitter(), { query });
  Reflect.apply(connected, undefined, [undefined, client, release]);
  await jobPool.stop();
  listening.reject(new Error('Connection terminated'));
  await until('the library has handled the error', () => client.listenerCount('error') === 0);
  await setImmediate();
  expect(release).toHaveBeenCalledTimes(1);
});

test('the log line of a failed job has its id, task and error, but neither its payload nor values of a row', async ({
  connection,
  prepare,
}) => {
  const lines: string[] = [];
  const written = makeLog({ write: (line) => void lines.push(line) });
  written.level = 'debug';
  const warned = vi.spyOn(log(), 'warn').mockImplementation((fields, text) => written.warn(fields, text));
  const { workspaceId } = connection;
  const { start } = prepare(async () => {
    await pool().query('insert into workspaces select * from workspaces where id = $1', [workspaceId]);
  });
  await start();
  await queueProbe({ text: 'A secret of a contact' });
  const line = await until('the failure is logged', () =>
    lines.find((each) => each.includes('worker.logged')),
  );
  warned.mockRestore();
  expect(JSON.parse(line)).toMatchObject({
    jobId: expect.any(String),
    task: 'probe',
    attempt: 1,
    err: { type: 'DatabaseError', errorCode: '23505', constraint: 'workspaces_pkey' },
  });
  expect(line).not.toContain('A secret of a contact');
  expect(line).not.toContain(workspaceId);
});

type Connected = Parameters<Pool['connect']>[0];

/**
 * Withholds the connection of the library's listener.
 * @returns a function that waits until the library wants to listen, and returns its callback
 */
function catchListener(): () => Promise<Connected> {
  const connections = sessionPool();
  const connect = connections.connect.bind(connections);
  const caught = Promise.withResolvers<Connected>();
  const spy = vi.spyOn(connections, 'connect').mockImplementation((callback?: Connected) => {
    // A statement's callback has two parameters and releases the connection itself.
    if (callback?.length === 3) caught.resolve(callback);
    else return callback ? connect(callback) : connect();
    return undefined as never;
  });
  return async () => {
    const callback = await caught.promise;
    spy.mockRestore();
    return callback;
  };
}

async function queueProbe(payload: object = {}): Promise<void> {
  await db().$executeRaw`select (graphile_worker.add_job('probe', ${payload}::json)).id`;
}

/** Returns a function that prepares a job pool, which ends with the test. The queue is empty afterwards. */
function preparer(onCleanup: (stop: () => Promise<void>) => void) {
  const started: JobRunner[] = [];
  onCleanup(async () => {
    await Promise.all(started.map((jobPool) => jobPool.stop()));
    await forgetJobs();
  });
  return (probe: () => Promise<void>, holding?: Promise<void>) => prepareWith(started, probe, holding);
}

/** Prepares a job pool with a given task and fake leases. */
function prepareWith(
  started: JobRunner[],
  probe: () => Promise<void>,
  holding: Promise<void> = Promise.resolve(),
) {
  const held = new Map<string, () => void>();
  const requested: string[] = [];
  const released: string[] = [];
  const leases: Leases = {
    hold: async (poolId, onLost) => {
      requested.push(poolId);
      await holding;
      held.set(poolId, onLost);
    },
    release: async (poolId) => {
      released.push(poolId);
    },
    areSure: () => true,
    renewedAgoMs: () => 0,
    onBack: () => undefined,
    stop: async () => undefined,
  };
  const start = async (others: string[] = []) => {
    const tasks = { probe, ...Object.fromEntries(others.map((name) => [name, probe])) };
    const options = { name: 'probed', tasks, concurrency: 5, leases, onJobDone: () => undefined };
    const jobPool = await runJobs(options);
    started.push(jobPool);
    return jobPool;
  };
  return {
    start,
    requested,
    held,
    released,
    loseAll: () => [...held.values()].forEach((onLost) => void onLost()),
  };
}

async function countLocked(): Promise<number> {
  const [row] = await db().$queryRaw<[{ locked: number }]>`
    select count(*)::int as locked from graphile_worker._private_jobs where locked_by is not null`;
  return row.locked;
}

/** More round trips than a pool needs to fetch its first job. */
const ROUND_TRIPS = 50;
