import { REMOVED_AT_ONCE, removeInBatches } from '#server/core/database/remove-in-batches.ts';

/** How long what providers sent is kept, in days: so long it can be replayed. */
const KEPT_DAYS = 14;

/** Removes what providers sent long ago, in batches. Returns how many went. */
export function removeOldUpdates(): Promise<number> {
  return removeInBatches(`
    delete from inbound_updates where id in (
      select id from inbound_updates where received_at < now() - make_interval(days => ${KEPT_DAYS})
      order by received_at limit ${REMOVED_AT_ONCE} for update skip locked
    )`);
}
