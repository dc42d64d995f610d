import { setImmediate as nextTurn } from 'node:timers/promises';
import { pool } from '#server/core/database/pools.ts';
import { WITHOUT_FLUSH } from '#server/core/database/sql.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';

/** PostgreSQL channel that tells workers about due deliveries. */
export const WORK_CHANNEL = 'deliveries';

const STATEMENT = {
  name: 'wake-workers',
  text: `select pg_notify('${WORK_CHANNEL}', ''), ${WITHOUT_FLUSH}`,
};

/**
 * Wakes the workers after a commit of events to fan out or of due deliveries. While a notification is in flight, further calls share
 * the next one. Never part of a change's transaction, because PostgreSQL serializes the commits of transactions that notify. Waits
 * until the response to the request has been sent, so that the work does not delay it. After a crash workers find the work by polling.
 */
export function wakeWorkers(): void {
  void runCoalesced('wake-workers', async () => {
    await nextTurn();
    await pool().query(STATEMENT);
  });
}
