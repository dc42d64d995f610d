import { makeHookAgent } from '#server/deliveries/hook-agent.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { drainHooks, type HookDrain } from '#worker/drain-hooks.ts';
import { type JobPool, startJobPool } from '#worker/job-pool.ts';
import { keepLeases, LEASE_SECONDS } from '#worker/leases.ts';
import { CRONTAB, makeTasks } from '#worker/tasks.ts';
import { startWatchdog } from '#worker/watchdog.ts';

/** Of its concurrency a worker gives one part in so many to hooks that lately ran out of time, and no more. */
const SLOW_PART = 5;

export type Worker = {
  /** Finishes what is in flight, at most 20 s, and gives the rest back. */
  stop: () => Promise<void>;
  /** Whether it works: its leases are held and its jobs get done. */
  health: () => { ok: boolean; lease: 'held' | 'lost'; jobs: 'worked off' | 'lying' };
};

/**
 * Starts working off jobs, in a pool of the library, and delivering, beside it. Hooks that lately ran out of time have
 * a part of what is in flight, so that hanging receivers cannot use up the worker.
 * @param onStall called when due work lies and none is done
 * @throws when the database cannot be reached, or HOOKS_CA_FILE not be read
 */
export async function startWorker(onStall: () => void = () => undefined): Promise<Worker> {
  const { WORKER_CONCURRENCY } = settings();
  const slow = Math.max(1, Math.floor(WORKER_CONCURRENCY / SLOW_PART));
  const room = { fast: Math.max(1, WORKER_CONCURRENCY - slow), slow };
  const hookAgent = makeHookAgent();
  const tasks = makeTasks();
  const parts: (JobPool | HookDrain)[] = [];
  const leases = keepLeases();
  let done = 0;
  const onDone = () => {
    done += 1;
  };
  try {
    const concurrency = WORKER_CONCURRENCY;
    parts.push(
      await startJobPool({ name: 'main', tasks, concurrency, crontab: CRONTAB, leases, onJobDone: onDone }),
    );
    parts.push(await drainHooks({ dispatcher: hookAgent, leases, room, onAttempt: onDone }));
  } catch (error) {
    await Promise.allSettled(parts.map((part) => part.stop()));
    await leases.stop();
    throw error;
  }
  const watchdog = startWatchdog({ tasks: Object.keys(tasks), done: () => done, onStall });
  log().info({ concurrency: WORKER_CONCURRENCY, slow }, 'worker.started');

  return {
    stop: async () => {
      watchdog.stop();
      await Promise.all(parts.map((part) => part.stop()));
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
