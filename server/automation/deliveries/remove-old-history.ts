import { keepHistoryDays } from '#server/automation/deliveries/keep-history-days.ts';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';

/** So many rows are removed at once, and so many times in a run: no lock is held for long, and the rest can wait. */
const BATCH = 1_000;
const BATCHES = 20;

/**
 * What goes row by row: what outlived its day in the default partitions, until its deliveries ended long enough ago, and
 * removed hooks without a delivery.
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
 * Removes what is older than HISTORY_DAYS (decisions: settings): events, deliveries and attempts by whole days, what
 * outlived its day when its deliveries ended that long ago, and hooks that were removed and have no deliveries left.
 * @returns how many rows went that did not go with their day
 */
export async function removeOldHistory(): Promise<number> {
  const days = settings().HISTORY_DAYS;
  await keepHistoryDays(days);
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
