import { makeHookAgent } from '#server/automation/deliveries/hook-agent.ts';
import { settings } from '#server/core/env.ts';
import { moveJobs } from '#server/core/jobs/outbox.ts';
import { log } from '#server/core/log.ts';
import { drainHooks, type HookDrain } from '#worker/drain-hooks.ts';
import { type JobPool, startJobPool } from '#worker/job-pool.ts';
import { keepLeases, LEASE_SECONDS } from '#worker/leases.ts';
import { registerTasks } from '#worker/register-tasks.ts';
import { startWithRetries } from '#worker/start-with-retries.ts';
import { CRONTAB, MAIL_CRONTAB, makeInboundTasks, makeMailTasks, makeTasks } from '#worker/tasks.ts';
import { startWatchdog } from '#worker/watchdog.ts';

/** Of its concurrency a worker gives one part in so many to hooks that lately ran out of time, and no more. */
const SLOW_PART = 5;
/** And one in so many to mail. */
const MAIL_PART = 10;
/** Jobs of inbound mail at the same time. Nearly all of them wait: for name servers, or for their turn to be read. */
const INBOUND_JOBS = 100;
/** Interval at which inbound mail is polled, in ms. A mail that follows another one of its domain waits for the next poll. */
const INBOUND_POLL_MS = 250;

/**
 * Time for which a start is retried while the database is unreachable or slow to connect, in ms. After that the process
 * ends, and its supervisor starts another one.
 */
const START_MS = 60_000;

/** How often jobs are moved that a process which ended left behind, in milliseconds. */
const MOVE_MS = 1_000;

export type Worker = {
  /** Finishes what is in flight, at most 20 s, and gives the rest back. */
  stop: () => Promise<void>;
  /** Whether it works: its leases are held and its jobs get done. */
  health: () => { ok: boolean; lease: 'held' | 'lost'; jobs: 'worked off' | 'lying' };
};

/**
 * Starts working off jobs, in a pool of the library, and delivering, beside it. Mail has a small pool of its own, so that
 * a mail server that hangs holds up nothing else. Inbound mail has a third one, so
 * that hostile mail delays nothing but mail. Hooks that lately ran out of time have a part of what is in flight, so
 * that hanging receivers cannot use up the worker.
 * A database that is unreachable or slow to connect, as on a busy machine, is retried with backoff: see `startWithRetries`.
 * @param onStall called when due work lies and none is done
 * @param timing `mailPollMs`: how often the queue of mails is polled, in ms, a second by default. A mail that follows another
 * one to the same recipient waits for the next poll. `startMs`: time for which the start is retried, in ms, a minute by default.
 * @throws when the database was unreachable for all of `startMs` or refuses the worker, or when HOOKS_CA_FILE cannot be read
 */
export async function startWorker(
  onStall: () => void = () => undefined,
  { mailPollMs, startMs = START_MS }: { mailPollMs?: number; startMs?: number } = {},
): Promise<Worker> {
  const { WORKER_CONCURRENCY } = settings();
  const slow = Math.max(1, Math.floor(WORKER_CONCURRENCY / SLOW_PART));
  const mail = Math.max(1, Math.floor(WORKER_CONCURRENCY / MAIL_PART));
  const room = { fast: Math.max(1, WORKER_CONCURRENCY - slow), slow };
  const hookAgent = makeHookAgent();
  const tasks = makeTasks();
  const mailTasks = makeMailTasks();
  const inboundTasks = makeInboundTasks();
  const parts: (JobPool | HookDrain)[] = [];
  const leases = keepLeases();
  const giveUpAt = performance.now() + startMs;
  const start = async (startPart: () => Promise<JobPool | HookDrain>) => {
    parts.push(await startWithRetries(startPart, giveUpAt));
  };
  let done = 0;
  const onDone = () => {
    done += 1;
  };
  const names = [tasks, mailTasks, inboundTasks].flatMap((each) => Object.keys(each));
  try {
    await startWithRetries(() => registerTasks(names), giveUpAt);
    const shared = { leases, onJobDone: onDone };
    const concurrency = Math.max(1, WORKER_CONCURRENCY - mail);
    await start(() => startJobPool({ ...shared, name: 'main', tasks, concurrency, crontab: CRONTAB }));
    const forMail = { name: 'mail', tasks: mailTasks, concurrency: mail, crontab: MAIL_CRONTAB };
    const looking = mailPollMs === undefined ? {} : { pollMs: mailPollMs };
    await start(() => startJobPool({ ...shared, ...forMail, ...looking }));
    const forInbound = { name: 'inbound-mail', tasks: inboundTasks, concurrency: INBOUND_JOBS };
    await start(() => startJobPool({ ...shared, ...forInbound, pollMs: INBOUND_POLL_MS }));
    await start(() => drainHooks({ dispatcher: hookAgent, leases, room, onAttempt: onDone }));
  } catch (error) {
    await Promise.allSettled(parts.map((part) => part.stop()));
    await leases.stop();
    throw error;
  }
  const mover = setInterval(() => void moveJobs(), MOVE_MS);
  const watchdog = startWatchdog({ tasks: names, done: () => done, onStall });
  log().info({ concurrency: WORKER_CONCURRENCY, slow, mail }, 'worker.started');

  return {
    stop: async () => {
      watchdog.stop();
      clearInterval(mover);
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
