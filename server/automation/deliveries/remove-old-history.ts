import { maintainPartitions } from '#server/automation/deliveries/maintain-partitions.ts';
import { settings } from '#server/core/env.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/** Events in the default partitions whose deliveries ended long enough ago. */
const removeEvents = (days: number) => `
  delete from events where id in (
    select e.id from events_default e
    where e.created_at < now() - make_interval(days => ${days}) and not exists (
      select from deliveries d
      where d.event_id = e.id and (d.ended_at is null or d.ended_at >= now() - make_interval(days => ${days})))
    order by e.created_at
    limit ${BATCH_ROWS})`;

/** Removed hooks without deliveries. */
const removeHooks = (days: number) => `
  delete from hooks where id in (
    select h.id from hooks h
    where h.removed_at < now() - make_interval(days => ${days})
      and not exists (select from deliveries d where d.hook_id = h.id)
    order by h.removed_at
    limit ${BATCH_ROWS})`;

/**
 * Removes history older than HISTORY_DAYS (docs/rulings.md 6). Drops events, deliveries and attempts by whole
 * days. Deletes retained rows individually once their deliveries ended that long ago, and removed hooks
 * without deliveries.
 * @returns the number of rows that were deleted individually
 */
export async function removeOldHistory(): Promise<number> {
  const days = settings().HISTORY_DAYS;
  await maintainPartitions(days);
  return (await removeInBatches(removeEvents(days))) + (await removeInBatches(removeHooks(days)));
}
