import { maintainPartitions } from '#server/automation/deliveries/maintain-partitions.ts';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';

/** Rows per statement, and statements per run: locks stay short, and the next run continues. */
const BATCH = 1_000;
const BATCHES = 20;

/**
 * Rows to delete individually: events in the default partitions whose deliveries ended long enough ago, and
 * removed hooks without deliveries.
 */
const OLD = [
  `delete from events where id in (
    select e.id from events_default e
    where e.created_at < now() - make_interval(days => $1) and not exists (
      select from deliveries d
      where d.event_id = e.id and (d.ended_at is null or d.ended_at >= now() - make_interval(days => $1)))
    order by e.created_at
    limit ${BATCH})`,
  `delete from hooks where id in (
    select h.id from hooks h
    where h.removed_at < now() - make_interval(days => $1)
      and not exists (select from deliveries d where d.hook_id = h.id)
    order by h.removed_at
    limit ${BATCH})`,
];

/**
 * Removes history older than HISTORY_DAYS (docs/rulings.md 6). Drops events, deliveries and attempts by whole
 * days. Deletes retained rows individually once their deliveries ended that long ago, and removed hooks
 * without deliveries.
 * @returns the number of rows that were deleted individually
 */
export async function removeOldHistory(): Promise<number> {
  const days = settings().HISTORY_DAYS;
  await maintainPartitions(days);
  let removed = 0;
  for (const statement of OLD) {
    for (let batch = 1; batch <= BATCHES; batch += 1) {
      const { rowCount } = await pool().query(statement, [days]);
      removed += rowCount ?? 0;
      if ((rowCount ?? 0) < BATCH) break;
    }
  }
  return removed;
}
