import { cleanUpPool } from '#server/ground/db.ts';

/** How long what providers sent is kept, in days: so long it can be replayed. */
const KEPT_DAYS = 14;
const BATCH = 1_000;
const BATCHES_MAX = 20;

/** Removes what providers sent long ago, in batches. May run elsewhere at the same time. Returns how many went. */
export async function removeOldUpdates(): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { rowCount } = await cleanUpPool().query(
      `delete from inbound_updates where id in (
         select id from inbound_updates where received_at < now() - make_interval(days => $1)
         order by received_at limit $2 for update skip locked)`,
      [KEPT_DAYS, BATCH],
    );
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) break;
  }
  return removed;
}
