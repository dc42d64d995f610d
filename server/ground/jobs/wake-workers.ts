import { pool } from '#server/ground/db.ts';
import { runCoalesced } from '#server/ground/run-coalesced.ts';

/** The channel of PostgreSQL on which workers hear that there is something to deliver. */
export const WORK_CHANNEL = 'deliveries';

/**
 * Wakes the workers after a commit that left them something: events to fan out, or deliveries that are due. At once
 * when this process is not waking them, else once for all that was committed meanwhile. Never within a change's own
 * transaction: PostgreSQL commits those that notify one after the other. What a crash left the workers find by the clock.
 */
export function wakeWorkers(): void {
  void runCoalesced('wake-workers', () =>
    pool().query({ name: 'wake-workers', text: `select pg_notify('${WORK_CHANNEL}', '')` }),
  );
}
