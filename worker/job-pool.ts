import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import { pool } from '#server/db.ts';
import { log } from '#server/log.ts';
import type { Leases } from '#worker/leases.ts';
import { workerLogger } from '#worker/worker-logger.ts';

/** A retry is found by looking, so at most so late, in milliseconds. New jobs are told at once. */
const POLL_MS = 1_000;
/** What is in flight may finish for so long once the worker ends: longer than a delivery, in milliseconds. */
const DRAIN_MS = 20_000;
/** Jobs that nobody took up for so long go back: another worker may have time, in milliseconds. */
const LOCAL_QUEUE_MS = 1_000;
/** Finished jobs of so many milliseconds are deleted together. */
const BATCH_MS = 5;
/** The pause before a pool that broke off is started again, in milliseconds; doubled up to the second number. */
const RESTART_MS = [250, 4_000] as const;

export type JobPoolOptions = {
  name: string;
  tasks: TaskList;
  concurrency: number;
  crontab?: string;
  leases: Leases;
  /** Called for each job that was worked off, well or not. */
  onJobDone: () => void;
};

export type JobPool = {
  /** Whether it is this pool that has this id now. */
  has(poolId: string): boolean;
  /** Ends the pool that runs now and starts another under a new id; what is in flight finishes. */
  replace(): void;
  /** Finishes what is in flight, and ends. */
  stop(): Promise<void>;
};

type Running = { id: string; runner: Runner; ended: Promise<void> };

/**
 * Works off jobs until it is stopped: a pool of the library under a lease, and another one when it breaks off because
 * the database went away or others declared it dead.
 * @throws when the first one cannot be started
 */
export async function startJobPool(options: JobPoolOptions): Promise<JobPool> {
  const { name, leases } = options;
  const draining = new Set<Promise<void>>();
  let stopping = false;
  let restarting: Promise<void> | undefined;
  let current = await begin(options, () => replace());

  function replace(): void {
    if (stopping || restarting) return;
    log().warn({ pool: name, poolId: current.id }, 'worker.pool_replaced');
    drain(current);
    restarting = restart().finally(() => {
      restarting = undefined;
    });
  }

  async function restart(): Promise<void> {
    for (let pause: number = RESTART_MS[0]; !stopping; pause = Math.min(2 * pause, RESTART_MS[1])) {
      try {
        current = await begin(options, () => replace());
        if (stopping) drain(current);
        return;
      } catch (error) {
        log().warn({ err: error, pool: name }, 'worker.pool_not_started');
        await sleep(pause);
      }
    }
  }

  function drain({ id, runner, ended }: Running): void {
    // One that broke off is ending already, and then says that it cannot be stopped twice.
    const stopped = runner.stop().catch(() => undefined);
    const drained = Promise.all([stopped, ended])
      .then(() => leases.release(id))
      .catch((error: unknown) => log().warn({ err: error, pool: name }, 'worker.pool_not_released'));
    const done = drained.finally(() => draining.delete(done));
    draining.add(done);
  }

  return {
    has: (poolId) => current.id === poolId,
    replace,
    stop: async () => {
      stopping = true;
      await restarting;
      drain(current);
      await Promise.all(draining);
    },
  };
}

async function begin(options: JobPoolOptions, onBroken: () => void): Promise<Running> {
  const events: WorkerEvents = new EventEmitter();
  let id = '';
  let held: Promise<void> = Promise.resolve();
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id;
    held = options.leases.hold(id);
    held.catch(() => undefined);
  });
  events.once('pool:gracefulShutdown', () => onBroken());
  events.on('job:complete', options.onJobDone);
  const { concurrency, crontab } = options;
  const runner = await run({
    pgPool: pool(),
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    taskList: options.tasks,
    ...(crontab ? { crontab } : {}),
    logger: workerLogger(),
    events,
    preset: {
      worker: {
        gracefulShutdownAbortTimeout: DRAIN_MS,
        localQueue: { size: concurrency, ttl: LOCAL_QUEUE_MS },
        completeJobBatchDelay: BATCH_MS,
        failJobBatchDelay: BATCH_MS,
      },
    },
  });
  const ended = runner.promise.catch((error: unknown) => {
    log().warn({ err: error, pool: options.name }, 'worker.pool_broke_off');
  });
  try {
    await held;
  } catch (error) {
    await runner.stop().catch(() => undefined);
    throw error;
  }
  return { id, runner, ended };
}
