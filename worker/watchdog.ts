import { pool } from '#server/core/database/pools.ts';
import { log } from '#server/core/log.ts';

/** Time without progress, while jobs are due, that counts as a stall; and polling interval. In ms. */
const STALL_MS = 60_000;
const POLL_MS = 5_000;

/**
 * Selects whether unlocked jobs of this worker's tasks, or unclaimed hooks, have been due for longer than
 * `$2` seconds.
 */
const OVERDUE = {
  name: 'overdue-jobs',
  text: `
    select exists (
      select from graphile_worker.jobs
      where locked_at is null and attempts < max_attempts and run_at < now() - make_interval(secs => $2)
        and task_identifier = any ($1)
    ) or exists (
      select from hook_queue where claimed_by is null and due_at < now() - make_interval(secs => $2)
    ) as overdue`,
};

/**
 * Watches whether jobs make progress. Overdue jobs without progress, while the database responds, mean that
 * this process is stuck and cannot recover: `onStall` ends it. An unreachable database is not a stall.
 * @param done returns the number of jobs done so far
 */
export function startWatchdog({
  tasks,
  done,
  onStall,
  stallMs = STALL_MS,
  pollMs = POLL_MS,
}: {
  tasks: string[];
  done: () => number;
  onStall: () => void;
  stallMs?: number;
  pollMs?: number;
}): { stop(): void; isStalling(): boolean } {
  let seen = done();
  let stallingSince: number | null = null;

  async function poll(): Promise<void> {
    const before = seen;
    seen = done();
    const isOverdue = seen === before && (await hasOverdueJobs(tasks, pollMs / 1_000));
    if (!isOverdue) stallingSince = null;
    else stallingSince ??= performance.now() - pollMs;
    if (stallingSince !== null && performance.now() - stallingSince >= stallMs) onStall();
  }
  const timer = setInterval(() => {
    poll().catch((error: unknown) => {
      stallingSince = null;
      log().debug({ err: error }, 'worker.not_watched');
    });
  }, pollMs);
  return { stop: () => clearInterval(timer), isStalling: () => stallingSince !== null };
}

async function hasOverdueJobs(tasks: string[], forSeconds: number): Promise<boolean> {
  const { rows } = await pool().query<{ overdue: boolean }>({ ...OVERDUE, values: [tasks, forSeconds] });
  return rows[0]?.overdue ?? false;
}
