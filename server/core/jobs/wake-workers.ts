import { setImmediate as nextTurn } from 'node:timers/promises';
import { pool } from '#server/core/database/pools.ts';
import { WITHOUT_FLUSH } from '#server/core/database/sql.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';

/** PostgreSQL channel that tells workers about `events` to fan out, due `hooks`, or more deliveries of one hook, by its id. */
export const WORK_CHANNEL = 'deliveries';

const STATEMENT = {
  name: 'wake-workers',
  text: `select pg_notify('${WORK_CHANNEL}', $1), ${WITHOUT_FLUSH}`,
};

/** Wakes the workers after a commit of events to fan out. */
export function wakeForEvents(): void {
  wake('events');
}

/** Wakes the workers after a commit that made hooks due. */
export function wakeForHooks(): void {
  wake('hooks');
}

/**
 * While a notification is in flight, further calls share the next one. Never part of a change's transaction, because PostgreSQL
 * serializes the commits of transactions that notify. Waits one turn of the event loop, so that a response that is ready goes
 * first. After a crash workers find the work by polling.
 */
function wake(reason: 'events' | 'hooks'): void {
  void runCoalesced(`wake-for-${reason}`, async () => {
    await nextTurn();
    await pool().query({ ...STATEMENT, values: [reason] });
  });
}
