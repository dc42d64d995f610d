import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/** Days for which notifications are stored, read or not. */
const RETENTION_DAYS = 90;

/**
 * Steps from recipient to recipient along the index of notifications and selects the oldest of each. The cost
 * grows with the number of recipients, not with the number of notifications.
 */
const REMOVE = `
  with recursive whose (user_id, workspace_id) as (
    (select user_id, workspace_id from notifications order by user_id, workspace_id limit 1)
    union all
    select next.user_id, next.workspace_id
    from whose w
    cross join lateral (
      select n.user_id, n.workspace_id from notifications n
      where (n.user_id, n.workspace_id) > (w.user_id, w.workspace_id)
      order by n.user_id, n.workspace_id
      limit 1
    ) next
  ), old as (
    select o.id
    from whose w
    cross join lateral (
      select n.id from notifications n
      where n.user_id = w.user_id and n.workspace_id = w.workspace_id
        and n.created_at < now() - make_interval(days => ${RETENTION_DAYS})
      order by n.created_at
      limit ${BATCH_ROWS}
    ) o
    limit ${BATCH_ROWS}
  )
  delete from notifications where id in (
    select id from notifications where id in (select id from old) for update skip locked)`;

/** Deletes notifications that are older than 90 days, in small batches. Returns the number of deleted rows. */
export function removeOldNotifications(): Promise<number> {
  return removeInBatches(REMOVE);
}
