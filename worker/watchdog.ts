import { pool } from '#server/core/database/pools.ts';
import { log } from '#server/core/log.ts';

/** How long due jobs may lie while none is worked off, and how often that is looked at, in milliseconds. */
const STALL_MS = 60_000;
const LOOK_MS = 5_000;

/**
 * Jobs of this worker's tasks that no one has locked, and hooks that no worker serves, that are due for longer than this.
 */
const LYING = {
  name: 'lying-jobs',
  text: `
    select exists (
      select from graphile_worker._private_jobs
      where is_available and run_at < now() - make_interval(secs => $2)
        and task_id in (select id from graphile_worker._private_tasks where identifier = any ($1))
    ) or exists (
      select from hook_queue where claimed_by is null and due_at < now() - make_interval(secs => $2)
    ) as lying`,
};

/**
 * Watches whether jobs are worked off. One that lies there while nothing is done, although the database answers,
 * means that this process is stuck in a way it cannot mend: `onStall` ends it. A database that is away is no stall.
 * @param done how many jobs were worked off so far
 */
export function startWatchdog({
  tasks,
  done,
  onStall,
  stallMs = STALL_MS,
  lookMs = LOOK_MS,
}: {
  tasks: string[];
  done: () => number;
  onStall: () => void;
  stallMs?: number;
  lookMs?: number;
}): { stop(): void; isStalling(): boolean } {
  let seen = done();
  let stallingSince: number | null = null;

  async function look(): Promise<void> {
    const before = seen;
    seen = done();
    const lying = seen === before && (await jobsLie(tasks, lookMs / 1_000));
    if (!lying) stallingSince = null;
    else stallingSince ??= performance.now() - lookMs;
    if (stallingSince !== null && performance.now() - stallingSince >= stallMs) onStall();
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      stallingSince = null;
      log().debug({ err: error }, 'worker.not_watched');
    });
  }, lookMs);
  return { stop: () => clearInterval(timer), isStalling: () => stallingSince !== null };
}

async function jobsLie(tasks: string[], forSeconds: number): Promise<boolean> {
  const { rows } = await pool().query<{ lying: boolean }>({ ...LYING, values: [tasks, forSeconds] });
  return rows[0]?.lying ?? false;
}
