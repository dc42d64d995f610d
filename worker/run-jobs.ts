import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool, QueryConfig } from 'pg';
import { pool, sessionPool } from '#server/core/database/pools.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { log } from '#server/core/log.ts';
import type { Leases } from '#worker/leases.ts';

/** Polling interval, in ms. Retries are found by polling, new jobs are notified. */
const POLL_MS = 1_000;
/** Jobs that were fetched but not started for this long go back to the queue: another worker may have room. */
const LOCAL_QUEUE_MS = 1_000;
/** Jobs that finish within this time are deleted by one statement. */
const BATCH_MS = 5;
/** Interval at which a pool whose lease is not sure checks whether it may fetch jobs again, in ms. */
const LEASE_CHECK_MS = 100;
/** Minimum time from the start of a pool to the start of its replacement, in ms. */
const RESTART_MS = 1_000;
/** Interval at which a pool that is ending checks whether anything is still in flight, in ms. */
const STOP_MS = 1_000;
/** Time that jobs in flight get to finish when the worker stops, in ms. It is longer than a delivery. */
const DRAIN_MS = 19_000;

export type JobRunnerOptions = {
  name: string;
  tasks: TaskList;
  concurrency: number;
  crontab?: string;
  leases: Leases;
  /** Called for each job that finished, successfully or not. */
  onJobDone: () => void;
  /** Interval at which jobs without a notification are polled, in ms. */
  pollMs?: number;
};

export type JobRunner = {
  /** Finishes the jobs in flight, for at most 19 s, and returns the others to the queue. */
  stop(): Promise<void>;
};

/**
 * Runs jobs until it is stopped, in a pool of graphile-worker under a lease. It starts another pool when a statement of the
 * pool failed, the library ended it, or another worker declared it dead. Jobs in flight finish beside the next pool.
 * @throws when the first pool cannot be started
 */
export async function runJobs(options: JobRunnerOptions): Promise<JobRunner> {
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let ended: Promise<unknown> = Promise.resolve();

  async function supervise(first: LibraryPool): Promise<void> {
    for (let current: LibraryPool | undefined = first; ; current = await tryToStart()) {
      const mayRestart = sleep(RESTART_MS, undefined, { ref: false });
      await Promise.race([current?.over, stopped.promise]);
      if (current) ended = Promise.all([ended, current.end()]).then(() => undefined);
      await Promise.race([mayRestart, stopped.promise]);
      if (isStopping) return;
      log().warn({ pool: options.name }, 'worker.pool_replaced');
    }
  }

  async function tryToStart(): Promise<LibraryPool | undefined> {
    try {
      return await startPool(options);
    } catch (error) {
      log().warn({ err: error, pool: options.name }, 'worker.pool_not_started');
      return undefined;
    }
  }

  const supervising = supervise(await startPool(options));
  return {
    stop: async () => {
      isStopping = true;
      stopped.resolve();
      await Promise.race([supervising.then(() => ended), sleep(DRAIN_MS, undefined, { ref: false })]);
    },
  };
}

type LibraryPool = {
  /** Resolves when the pool has to be replaced. */
  over: Promise<void>;
  /** Fetches no more jobs, finishes those in flight and frees the others. Never rejects. */
  end(): Promise<void>;
};

/**
 * Starts a pool of graphile-worker 0.18.0. Its statements wait until it holds its lease, so that each locked job belongs to
 * a lease.
 * @throws when the database cannot be reached
 */
async function startPool({ leases, name, tasks, ...options }: JobRunnerOptions): Promise<LibraryPool> {
  const connections = pool();
  const over = Promise.withResolvers<void>();
  const registered = Promise.withResolvers<void>();
  registered.promise.catch(() => undefined);
  let poolId = '';
  /** Number of jobs and statements that have not finished. */
  let inFlight = 0;
  let isEnding = false;
  let closeListener = () => {};

  const events: WorkerEvents = new EventEmitter();
  events.once('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    leases.hold(poolId, over.resolve).then(registered.resolve, registered.reject);
  });
  events.on('job:start', () => {
    inFlight += 1;
  });
  events.on('job:complete', () => {
    inFlight -= 1;
    options.onJobDone();
  });

  /** Sends a statement of the library. A failure of the pool's statements is a reason to replace the pool. */
  async function query(statement: string | QueryConfig, values?: unknown[]): Promise<unknown> {
    const send = () => connections.query(statement, values);
    if (poolId === '') return send();
    inFlight += 1;
    try {
      await registered.promise;
      if (!fetchesJobs(statement)) return await retryWhileDatabaseAway(send);
      while (!leases.areSure() && !isEnding) await sleep(LEASE_CHECK_MS, undefined, { ref: false });
      return await send();
    } catch (error) {
      log().warn({ err: error, pool: name }, 'worker.statement_failed');
      over.resolve();
      // Without the error's code: the library repeats some of them minutes later, when the lease has ended.
      if (fetchesJobs(statement)) throw new Error('Fetching jobs failed.', { cause: error });
      // To any other failure the library responds by failing jobs that are running, or by ending the process.
      return new Promise<never>(() => undefined);
    } finally {
      inFlight -= 1;
    }
  }

  /** Connects the library. Only what precedes the pool, such as migrations, needs a connection to itself. */
  function connect(listen?: Parameters<Pool['connect']>[0]): unknown {
    if (listen) return connectListener(listen);
    return poolId === '' ? connections.connect() : Promise.resolve({ query, release: () => undefined });
  }

  /**
   * Connects the library's listener for new jobs. The library releases the connection twice when `LISTEN` fails while the
   * pool ends, which throws in pg-pool. After a timeout pg-pool passes the error only, without a function to release with.
   */
  function connectListener(listen: Parameters<Pool['connect']>[0]): void {
    sessionPool().connect((error, client, release) => {
      let isReleased = false;
      const releaseOnce = (destroy?: boolean) => {
        if (!isReleased) release(destroy);
        isReleased = true;
      };
      if (!error) closeListener = () => releaseOnce(true);
      listen(error, client, error ? release : releaseOnce);
    });
  }

  const runner = await run({
    pgPool: Object.create(connections, { query: { value: query }, connect: { value: connect } }),
    concurrency: options.concurrency,
    pollInterval: options.pollMs ?? POLL_MS,
    noHandleSignals: true,
    taskList: tasks,
    ...(options.crontab ? { crontab: options.crontab } : {}),
    logger: libraryLogger(),
    events,
    preset: {
      worker: {
        localQueue: { size: options.concurrency, ttl: LOCAL_QUEUE_MS },
        completeJobBatchDelay: BATCH_MS,
        failJobBatchDelay: BATCH_MS,
      },
    },
  });
  const finished = runner.promise
    .catch((error: unknown) => log().warn({ err: error, pool: name }, 'worker.pool_broke_off'))
    .then(() => over.resolve());

  /** Resolves although the library has not finished, which it may never do after a fault. */
  async function waitUntilIdle(): Promise<void> {
    do await sleep(STOP_MS, undefined, { ref: false });
    while (inFlight > 0);
  }

  async function end(): Promise<void> {
    isEnding = true;
    // Rejects when the library is ending the pool already.
    runner.stop().catch(() => undefined);
    await Promise.race([finished, waitUntilIdle()]);
    closeListener();
    await leases.release(poolId).catch((error: unknown) => {
      log().warn({ err: error, pool: name }, 'worker.pool_not_released');
    });
  }

  try {
    await registered.promise;
  } catch (error) {
    await end();
    throw error;
  }
  return { over: over.promise, end };
}

/** Repeating this statement would leave jobs locked that a lost response contained. All others may run twice. */
function fetchesJobs(statement: string | QueryConfig): boolean {
  return typeof statement === 'object' && statement.name?.startsWith('get_job') === true;
}

/** Logs the library's errors as warnings, its advice as information, and the rest for debugging. */
function libraryLogger(): Logger {
  return new Logger(() => (level, message, meta) => {
    const line = { message, ...meta };
    if (level === 'error') log().warn(line, 'worker.logged');
    else if (level === 'warning') log().info(line, 'worker.logged');
    else log().debug(line, 'worker.logged');
  });
}
