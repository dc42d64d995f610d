import type { Task } from 'graphile-worker';
import { sql } from '#server/core/database/sql.ts';
import type { HeldTask } from '#server/core/jobs/jobs.ts';

/**
 * Returns a scheduled task that does nothing while a restore holds it (docs/backup.md). It finds its work in the rows, so it would
 * repeat what was done after the backup.
 */
export function unlessHeld(name: HeldTask, run: () => Promise<unknown>): Task {
  return async () => {
    const held = await sql().$queryRaw<unknown[]>`select from held_work where task = ${name} limit 1`;
    if (held.length === 0) await run();
  };
}
