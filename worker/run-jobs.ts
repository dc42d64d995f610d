import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool, QueryConfig } from 'pg';
import { pool, sessionPool } from '#server/core/database/pools.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { log } from '#server/core/log.ts';
import type { Leases } from '#worker/leases.ts';

/** Polling interval, in ms. Polling finds retries. New jobs send a notification. */
const POLL_MS = 1_000;
/**
 * Time after which fetched jobs that have not started return to the queue, as another worker may have room,
 * in ms.
 */
const LOCAL_QUEUE_MS = 1_000;
/** Jobs that finish within this time are deleted in one statement, in ms. */
const BATCH_MS = 5;
/** Interval at which a pool with an uncertain lease checks whether it may fetch jobs again, in ms. */
const LEASE_CHECK_MS = 100;
/** Minimum time from the start of a pool to the start of its replacement, in ms. */
const RESTART_MS = 1_000;
/** Interval at which a stopping pool checks whether anything is still in flight, in ms. */
const STOP_MS = 1_000;
/** Time for jobs in flight to finish when the worker stops, longer than a delivery, in ms. */
const DRAIN_MS = 19_000;

export type JobRunnerOptions = {
  name: string;
  tasks: TaskList;
  concurrency: number;
  crontab?: string;
  leases: Leases;
  onJobDone: () => void;
  /** Interval at which jobs without a notification are polled, in ms. */
  pollMs?: number;
};

export type JobRunner = {
  /** Waits at most 19 s for jobs in flight, and returns the other jobs to the queue. */
  stop(): Promise<void>;
};

/**
 * Runs jobs in a pool of graphile-worker under a lease, until stopped. Starts another pool when a statement of the
 * pool failed, the library ended it, or another worker declared it dead. Jobs in flight finish while the next pool
 * runs.
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
  /** Stops fetching jobs, finishes those in flight and frees the others. Never rejects. */
  end(): Promise<void>;
};

/**
 * Starts a pool of graphile-worker 0.18.0. Its statements wait for its lease, so that each locked job belongs
 * to a lease.
 * @throws when the database is unreachable
 */
async function startPool({ leases, name, tasks, ...options }: JobRunnerOptions): Promise<LibraryPool> {
  const connections = pool();
  const over = Promise.withResolvers<void>();
  const registered = Promise.withResolvers<void>();
  registered.promise.catch(() => undefined);
  let poolId = '';
  /** Number of unfinished jobs and statements. */
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

  /** Sends a statement of the library. A failed statement causes a replacement of the pool. */
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
      // Omit the error's code: for some codes the library retries minutes later, when the lease has ended.
      if (fetchesJobs(statement)) throw new Error('Fetching jobs failed.', { cause: error });
      // Never settle: the library would respond to any other failure by failing running jobs, or by ending
      // the process.
      return new Promise<never>(() => undefined);
    } finally {
      inFlight -= 1;
    }
  }

  /**
   * Connects the library. Only statements before the pool exists, such as migrations, need a dedicated
   * connection.
   */
  function connect(listen?: Parameters<Pool['connect']>[0]): unknown {
    if (listen) return connectListener(listen);
    return poolId === '' ? connections.connect() : Promise.resolve({ query, release: () => undefined });
  }

  /**
   * Connects the library's listener for new jobs. The library releases the connection twice when `LISTEN`
   * fails while the pool ends, which throws in pg-pool. After a timeout pg-pool passes only the error, and no
   * release function.
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
    taskList: inOrder(tasks),
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
    .catch((error: unknown) => log().warn({ err: error, pool: name }, 'worker.pool_failed'))
    .then(() => over.resolve());

  /** Resolves even if the library has not finished: after an error it may never do so. */
  async function waitUntilIdle(): Promise<void> {
    do await sleep(STOP_MS, undefined, { ref: false });
    while (inFlight > 0);
  }

  async function end(): Promise<void> {
    isEnding = true;
    // Rejects if the library is already ending the pool.
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

/**
 * Returns tasks in alphabetical order, in which the library registers their names. Pools that start on a new database in
 * different orders would deadlock.
 */
function inOrder(tasks: TaskList): TaskList {
  return Object.fromEntries(Object.entries(tasks).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns whether a statement fetches jobs. Such a statement must not be repeated: if its response is lost, the
 * fetched jobs stay locked. All other statements may run twice.
 */
function fetchesJobs(statement: string | QueryConfig): boolean {
  return typeof statement === 'object' && statement.name?.startsWith('get_job') === true;
}

/** Logs the library's errors as warnings, its advice as information, and the rest for debugging. */
function libraryLogger(): Logger {
  return new Logger(() => (level, message, meta) => {
    const line = libraryLine(message, meta);
    if (level === 'error') log().warn(line, 'worker.logged');
    else if (level === 'warning') log().info(line, 'worker.logged');
    else log().debug(line, 'worker.logged');
  });
}

/** Selects fields without data: the library's text quotes the error, which may contain rows, and a job has its payload. */
function libraryLine(
  message: string,
  { job, error, fatalError = error }: { job?: Job; error?: unknown; fatalError?: unknown },
): object {
  return {
    ...(fatalError === undefined ? { message } : { err: fatalError }),
    ...(job ? { jobId: job.id, task: job.task_identifier, attempt: job.attempts } : {}),
  };
}
