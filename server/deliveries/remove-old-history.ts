import { pool } from '#server/db.ts';
import { settings } from '#server/env.ts';

/** So many rows are removed at once, and so many times in a run: no lock is held for long, and the rest can wait. */
const BATCH = 1_000;
const BATCHES = 20;

/**
 * What retention removes (decisions: settings, HISTORY_DAYS), deliveries and attempts going with their event or hook. An
 * event stays while one of its deliveries has not ended or ended lately, a hook while one of its deliveries is kept.
 */
const OLD = [
  `delete from events where id in (
    select e.id from events e
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
 * Removes events and deliveries that ended, and hooks that were removed, more than HISTORY_DAYS ago, in small batches.
 * @returns how many rows of either went
 */
export async function removeOldHistory(): Promise<number> {
  const days = settings().HISTORY_DAYS;
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
