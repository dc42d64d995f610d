import { Logger, run } from 'graphile-worker';
import { pool } from '#server/db.ts';
import { makeHookAgent } from '#server/deliveries/hook-agent.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { freeAbandonedJobs } from '#worker/free-abandoned-jobs.ts';
import { CRONTAB, makeTasks } from '#worker/tasks.ts';

/** A retry is found by looking, so at most so late, in milliseconds. New jobs are told at once. */
const POLL_MS = 1_000;
/** What is in flight may finish for so long once the worker ends: longer than a delivery, in milliseconds. */
const DRAIN_MS = 20_000;

/** Starts working off jobs. `stop` finishes what is in flight; `ended` settles when the worker has ended. */
export async function startWorker(): Promise<{ stop: () => Promise<void>; ended: Promise<void> }> {
  const { WORKER_CONCURRENCY, WORKER_ALONE } = settings();
  if (WORKER_ALONE) await freeAbandonedJobs();
  const hookAgent = makeHookAgent();
  const runner = await run({
    pgPool: pool(),
    concurrency: WORKER_CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    taskList: makeTasks(hookAgent),
    crontab: CRONTAB,
    logger: workerLogger(),
    preset: { worker: { gracefulShutdownAbortTimeout: DRAIN_MS } },
  });
  return {
    stop: async () => {
      await runner.stop();
      await hookAgent.close();
    },
    ended: runner.promise,
  };
}

/** The library's own lines: what goes wrong, its advice, and the rest for those who look for it. */
function workerLogger(): Logger {
  return new Logger(() => (level, message, meta) => {
    const line = { message, ...meta };
    if (level === 'error') log().warn(line, 'worker.logged');
    else if (level === 'warning') log().info(line, 'worker.logged');
    else log().debug(line, 'worker.logged');
  });
}
