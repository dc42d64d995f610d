import { setTimeout as sleep } from 'node:timers/promises';
import { makeHookAgent } from '#server/automation/deliveries/hook-agent.ts';
import { startLogEpoch } from '#server/automation/event-log/start-log-epoch.ts';
import { isDatabaseAway } from '#server/core/database/errors.ts';
import { settings } from '#server/core/env.ts';
import { moveJobs } from '#server/core/jobs/outbox.ts';
import { log } from '#server/core/log.ts';
import { UserError } from '#server/core/user-error.ts';
import { countMissingMigrations } from '#server/http/health.ts';
import { type Deliveries, deliver } from '#worker/deliver.ts';
import { LEASE_SECONDS, maintainLeases } from '#worker/leases.ts';
import { type JobRunner, runJobs } from '#worker/run-jobs.ts';
import { CRONTAB, MAIL_CRONTAB, makeInboundTasks, makeMailTasks, makeTasks } from '#worker/tasks.ts';
import { startWatchdog } from '#worker/watchdog.ts';

/** Share of the concurrency that is reserved for hooks that timed out recently: one in this many. */
const SLOW_PART = 5;
/** Share of the concurrency that is reserved for outgoing mail: one in this many. */
const MAIL_PART = 10;
/**
 * Concurrent jobs of inbound mail. Nearly all of them wait: for name servers, or for their turn to be parsed.
 */
const INBOUND_JOBS = 100;
/**
 * Interval at which inbound mail is polled, in ms. A mail behind another one of the same domain waits for the
 * next poll.
 */
const INBOUND_POLL_MS = 250;

/**
 * Time for which a start is retried while the database is unreachable or slow to connect, in ms. Then the
 * process exits, and its supervisor starts another one.
 */
const START_MS = 60_000;
/** Pauses between attempts to start, in ms: the first one, doubled each time up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/** Interval at which jobs are moved that an exited process left in the outbox, in ms. */
const MOVE_MS = 1_000;

export type Worker = {
  /** Waits at most 20 s for work in flight, and returns the rest to the queue. */
  stop: () => Promise<void>;
  health: () => { ok: boolean; lease: 'held' | 'lost'; jobs: 'running' | 'stalled' };
};

/**
 * Starts running jobs and delivering events. Outgoing mail has a separate small pool, so that a hanging mail
 * server delays nothing else. Inbound mail has a third pool, so that hostile mail delays only mail. Hooks
 * that timed out recently share a part of the deliveries in flight, so that hanging receivers cannot use up
 * the worker.
 * @param onStall called when jobs are due and none is done
 * @param timing `mailPollMs`: interval at which outgoing mail is polled, in ms, a second by default. A mail
 *     behind another one to the same recipient waits for the next poll. `startMs`: time for which the start
 *     is retried, in ms, a minute by default.
 * @throws when the database was unreachable for all of `startMs`, refuses the worker or lacks migrations, or when
 *     HOOKS_CA_FILE cannot be read
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
  const parts: (JobRunner | Deliveries)[] = [];
  const leases = maintainLeases();
  const giveUpAt = performance.now() + startMs;
  const start = async <Part extends JobRunner | Deliveries>(
    startPart: () => Promise<Part>,
  ): Promise<Part> => {
    const part = await startWithRetries(startPart, giveUpAt);
    parts.push(part);
    return part;
  };
  let deliveries: Deliveries | undefined;
  let jobs = 0;
  const onJobDone = () => {
    jobs += 1;
  };
  const names = [tasks, mailTasks, inboundTasks].flatMap((each) => Object.keys(each));
  try {
    await startWithRetries(requireMigrations, giveUpAt);
    await startWithRetries(startLogEpoch, giveUpAt);
    const shared = { leases, onJobDone };
    const concurrency = Math.max(1, WORKER_CONCURRENCY - mail);
    await start(() => runJobs({ ...shared, name: 'main', tasks, concurrency, crontab: CRONTAB }));
    const forMail = { name: 'mail', tasks: mailTasks, concurrency: mail, crontab: MAIL_CRONTAB };
    const polling = mailPollMs === undefined ? {} : { pollMs: mailPollMs };
    await start(() => runJobs({ ...shared, ...forMail, ...polling }));
    const forInbound = { name: 'inbound-mail', tasks: inboundTasks, concurrency: INBOUND_JOBS };
    await start(() => runJobs({ ...shared, ...forInbound, pollMs: INBOUND_POLL_MS }));
    deliveries = await start(() => deliver({ dispatcher: hookAgent, leases, room }));
  } catch (error) {
    await Promise.allSettled(parts.map((part) => part.stop()));
    await leases.stop();
    throw error;
  }
  const mover = setInterval(() => void moveJobs(), MOVE_MS);
  const done = () => jobs + (deliveries?.attempts() ?? 0);
  const watchdog = startWatchdog({ tasks: names, done, onStall });
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
      const jobs = watchdog.isStalling() ? 'stalled' : 'running';
      return { ok: lease === 'held' && jobs === 'running', lease, jobs };
    },
  };
}

/**
 * Refuses a database that is still being restored: its last step adds the applied migrations, after what it would send again is held.
 * @throws UserError when migrations of this version are not applied
 */
async function requireMigrations(): Promise<void> {
  const missing = await countMissingMigrations();
  if (missing === 0) return;
  throw new UserError(`${missing} migrations are not applied: run npm run db:migrate first.`);
}

/**
 * Starts a part of the worker. Retries with backoff while the database is unreachable or slow to connect.
 * @param giveUpAt timestamp of `performance.now()` after which the next failure is final
 * @throws the last error after that timestamp, and any other error immediately, such as a wrong password
 */
async function startWithRetries<T>(start: () => Promise<T>, giveUpAt: number): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await start();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
      log().warn({ err: error, pauseMs }, 'worker.start_retried');
      await sleep(pauseMs);
    }
  }
}
