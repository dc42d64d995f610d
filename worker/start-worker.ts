import { makeHookAgent } from '#server/deliveries/hook-agent.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { moveJobs } from '#server/move-jobs.ts';
import { type JobPool, startJobPool } from '#worker/job-pool.ts';
import { keepLeases, LEASE_SECONDS } from '#worker/leases.ts';
import { CRONTAB, MAIL_CRONTAB, makeMailTasks, makeTasks } from '#worker/tasks.ts';
import { startWatchdog } from '#worker/watchdog.ts';

/** Of its concurrency a worker gives one part in so many to hooks that lately ran out of time, and no more. */
const SLOW_PART = 5;
/** And one in so many to mail. */
const MAIL_PART = 10;

/** How often jobs are moved that a process which ended left behind, in milliseconds. */
const MOVE_MS = 1_000;

export type Worker = {
  /** Finishes what is in flight, at most 20 s, and gives the rest back. */
  stop: () => Promise<void>;
  /** Whether it works: its leases are held and its jobs get done. */
  health: () => { ok: boolean; lease: 'held' | 'lost'; jobs: 'worked off' | 'lying' };
};

/**
 * Starts working off jobs: in one pool all of them but the deliveries to hooks that lately ran out of time, which have
 * a small pool of their own, and mail, which has another one, so that neither hanging receivers nor a hanging mail server
 * can use up the worker.
 * @param onStall called when due jobs lie and none is worked off
 * @throws when the database cannot be reached, or HOOKS_CA_FILE not be read
 */
export async function startWorker(onStall: () => void = () => undefined): Promise<Worker> {
  const { WORKER_CONCURRENCY } = settings();
  const slow = Math.max(1, Math.floor(WORKER_CONCURRENCY / SLOW_PART));
  const mail = Math.max(1, Math.floor(WORKER_CONCURRENCY / MAIL_PART));
  const hookAgent = makeHookAgent();
  const { 'deliver-slowly': deliverSlowly, ...tasks } = makeTasks(hookAgent);
  const mailTasks = makeMailTasks();
  const pools: JobPool[] = [];
  const leases = keepLeases();
  let jobsDone = 0;
  const onJobDone = () => {
    jobsDone += 1;
  };
  const shared = { leases, onJobDone };
  try {
    const concurrency = Math.max(1, WORKER_CONCURRENCY - slow - mail);
    pools.push(await startJobPool({ ...shared, name: 'main', tasks, concurrency, crontab: CRONTAB }));
    const slowTasks = { 'deliver-slowly': deliverSlowly };
    pools.push(await startJobPool({ ...shared, name: 'slow', tasks: slowTasks, concurrency: slow }));
    const forMail = { name: 'mail', tasks: mailTasks, concurrency: mail, crontab: MAIL_CRONTAB };
    pools.push(await startJobPool({ ...shared, ...forMail }));
  } catch (error) {
    await Promise.allSettled(pools.map((pool) => pool.stop()));
    await leases.stop();
    throw error;
  }
  const names = [...Object.keys(tasks), 'deliver-slowly', ...Object.keys(mailTasks)];
  const mover = setInterval(() => void moveJobs(), MOVE_MS);
  const watchdog = startWatchdog({ tasks: names, done: () => jobsDone, onStall });
  log().info({ concurrency: WORKER_CONCURRENCY, slow, mail }, 'worker.started');

  return {
    stop: async () => {
      watchdog.stop();
      clearInterval(mover);
      await Promise.all(pools.map((pool) => pool.stop()));
      await leases.stop();
      await hookAgent.close();
    },
    health: () => {
      const lease = leases.renewedAgoMs() < LEASE_SECONDS * 1_000 ? 'held' : 'lost';
      const jobs = watchdog.isStalling() ? 'lying' : 'worked off';
      return { ok: lease === 'held' && jobs === 'worked off', lease, jobs };
    },
  };
}
