import { sql } from '#server/core/database/sql.ts';

/**
 * Starts an epoch of the event log if the database was restored, so that events from now on come after all cursors of
 * earlier ones. Servers call it before they listen, workers before they run jobs.
 */
export async function startLogEpoch(): Promise<void> {
  await sql().$executeRaw`select start_log_epoch()`;
}
