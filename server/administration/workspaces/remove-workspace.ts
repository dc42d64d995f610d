import { BATCH, changeInBatches } from '#server/administration/members/change-in-batches.ts';
import { endConnectionsOfWorkspace } from '#server/automation/connections/end-connections-of-workspace.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
import { log } from '#server/core/log.ts';

/**
 * What a workspace may hold much of, in an order in which nothing refers to what goes: a merged conversation to the one
 * it was merged into, a conversation to its contact. What belongs to a conversation, event or hook goes with it; the
 * rest of the workspace with its row.
 */
const STATEMENTS = [
  `update conversations set merged_into_id = null where id in (
     select id from conversations where workspace_id = $1 and merged_into_id is not null limit ${BATCH})`,
  removing('conversations'),
  // Deliveries go with their events. Everyone else locks hooks before deliveries, and in one order.
  `with lanes as materialized (
     select id from hooks where workspace_id = $1 order by id for no key update
   )
   delete from events where id in (
     select id from events where workspace_id = $1 and (select count(*) from lanes) >= 0 limit ${BATCH})`,
  removing('hooks', 'order by id'),
  removing('contacts'),
  removing('inbound_updates'),
  removing('notifications'),
  `update stored_files set workspace_id = null, expires_at = now() where id in (
     select id from stored_files where workspace_id = $1 limit ${BATCH})`,
  `update audit_entries set workspace_id = null where id in (
     select id from audit_entries where workspace_id = $1 limit ${BATCH})`,
];

function removing(table: string, order = ''): string {
  return `delete from ${table} where id in (
    select id from ${table} where workspace_id = $1 ${order} limit ${BATCH} ${order && 'for update'})`;
}

/**
 * Removes what is left of a deleted workspace, the row at last. Goes on in another job when it takes long, and may run
 * again at any time. A workspace that was not deleted stays as it is.
 * @param goOnForMs after so many milliseconds the rest is another job's
 */
export async function removeWorkspace(workspaceId: string, goOnForMs?: number): Promise<void> {
  const where = { id: workspaceId, deletedAt: { not: null } };
  if ((await db().workspace.count({ where })) === 0) return;
  if (!(await changeInBatches(STATEMENTS, workspaceId, goOnForMs))) {
    await inTransaction((tx) => queueJob(tx, 'remove-workspace', { workspaceId }));
    return;
  }
  await inTransaction(async (tx) => {
    // Ended when it was deleted; should one be left all the same, the row could never go.
    await endConnectionsOfWorkspace(tx, workspaceId);
    await tx.workspace.deleteMany({ where });
  });
  log().info({ workspaceId }, 'workspace.removed');
}
