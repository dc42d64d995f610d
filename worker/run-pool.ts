import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import { log } from '#server/core/log.ts';
import type { Leases } from '#worker/leases.ts';
import { libraryPool } from '#worker/library-pool.ts';
import { watchTasks } from '#worker/watch-tasks.ts';
import { workerLogger } from '#worker/worker-logger.ts';

/** A retry is found by looking, so at most so late, in milliseconds. New jobs are notified at once. */
const POLL_MS = 1_000;
/** Jobs that no one took up for so long go back: another worker may have time, in milliseconds. */
const LOCAL_QUEUE_MS = 1_000;
/** Finished jobs of so many milliseconds are deleted together. */
const BATCH_MS = 5;
/** How long a pool without a job under way may take to end: the library's can wait for ever, in milliseconds. */
const END_MS = 1_000;

export type RunningPoolOptions = {
  name: string;
  tasks: TaskList;
  concurrency: number;
  crontab?: string;
  leases: Leases;
  /** Called for each job that was worked off, well or not. */
  onJobDone: () => void;
  /** How often jobs without a notification are looked for, in milliseconds. */
  pollMs?: number;
};

/** A pool of the library that works off jobs. */
export type RunningPool = {
  /** Resolves when it is to be replaced: a statement of it failed, it broke off, or others have declared it dead. */
  over: Promise<void>;
  /** Takes no more jobs, finishes what is under way, and gives back what it still has. Never rejects. */
  finish(): Promise<void>;
};

/**
 * Starts a pool of the library. Its tasks begin once it holds its lease.
 * @throws when the database cannot be reached
 */
export async function runPool(options: RunningPoolOptions): Promise<RunningPool> {
  const { leases, name, concurrency, crontab, pollMs = POLL_MS } = options;
  const over = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  held.promise.catch(() => undefined);
  const { tasks, idle } = watchTasks(options.tasks, held.promise);
  let hasFailed = false;
  const connections = libraryPool((error) => {
    if (!hasFailed) log().warn({ err: error, pool: name }, 'worker.statement_failed');
    hasFailed = true;
    over.resolve();
  });
  const events: WorkerEvents = new EventEmitter();
  let poolId = '';
  events.once('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    connections.shield();
    leases.hold(poolId, over.resolve).then(held.resolve, held.reject);
  });
  events.once('pool:gracefulShutdown', () => over.resolve());
  events.on('job:complete', options.onJobDone);
  const runner = await run({
    pgPool: connections.pool,
    concurrency,
    pollInterval: pollMs,
    noHandleSignals: true,
    taskList: tasks,
    ...(crontab ? { crontab } : {}),
    logger: workerLogger(),
    events,
    preset: {
      worker: {
        localQueue: { size: concurrency, ttl: LOCAL_QUEUE_MS },
        completeJobBatchDelay: BATCH_MS,
        failJobBatchDelay: BATCH_MS,
      },
    },
  });
  const ended = runner.promise.catch((error: unknown) => {
    log().warn({ err: error, pool: name }, 'worker.pool_broke_off');
  });
  const finish = async () => {
    await endRunner(runner, ended, idle);
    await leases.release(poolId).catch((error: unknown) => {
      log().warn({ err: error, pool: name }, 'worker.pool_not_released');
    });
  };
  try {
    await held.promise;
  } catch (error) {
    await finish();
    throw error;
  }
  return { over: over.promise, finish };
}

/**
 * Ends a pool of the library, whose own end is not to be relied on: after a fault it may count wrong and wait for
 * ever. So one that has no job under way any more has ended, too.
 */
async function endRunner(runner: Runner, ended: Promise<void>, idle: () => Promise<void>): Promise<void> {
  // One that broke off is ending already, and then says that it cannot be stopped twice.
  const stopped = runner.stop().catch(() => undefined);
  await Promise.race([
    Promise.all([stopped, ended]),
    idle().then(() => sleep(END_MS, undefined, { ref: false })),
  ]);
}
