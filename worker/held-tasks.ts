import type { Task } from 'graphile-worker';
import { sql } from '#server/core/database/sql.ts';
import { type HeldTask, RECEIVING_JOBS } from '#server/core/jobs/jobs.ts';

/**
 * Returns a scheduled task that does nothing while a restore holds it (docs/backup.md). It finds its work in the rows, so it would
 * repeat what was done after the backup.
 */
export function unlessHeld(name: HeldTask, run: () => Promise<unknown>): Task {
  return async () => {
    if (!(await isHeld([name]))) await run();
  };
}

/**
 * Returns a step of the cleanup that does nothing while a restore holds received mails and updates, which in an old backup are past their
 * time.
 */
export function unlessReceivingHeld(run: () => Promise<unknown>): () => Promise<unknown> {
  return async () => {
    if (!(await isHeld(RECEIVING_JOBS))) await run();
  };
}

async function isHeld(tasks: readonly string[]): Promise<boolean> {
  const held = await sql().$queryRaw<unknown[]>`select from held_work where task = any(${tasks}) limit 1`;
  return held.length > 0;
}
