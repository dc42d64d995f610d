import { setImmediate as nextTurn } from 'node:timers/promises';
import { pool } from '#server/core/database/db.ts';
import { WITHOUT_FLUSH } from '#server/core/database/without-flush.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';

/** The channel of PostgreSQL on which workers hear that there is something to deliver. */
export const WORK_CHANNEL = 'deliveries';

const STATEMENT = {
  name: 'wake-workers',
  text: `select pg_notify('${WORK_CHANNEL}', ''), ${WITHOUT_FLUSH}`,
};

/**
 * Wakes the workers after a commit that left them something: events to fan out, or deliveries that are due. At once
 * when this process is not waking them, else once for all that was committed meanwhile. Never within a change's own
 * transaction: PostgreSQL commits those that notify one after the other; and not before the response to the call that
 * changed something has left, which is not to compete with what follows from it. What a crash left the workers find by
 * the clock.
 */
export function wakeWorkers(): void {
  void runCoalesced('wake-workers', async () => {
    await nextTurn();
    await pool().query(STATEMENT);
  });
}
