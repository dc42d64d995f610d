import { BATCH, changeInBatches } from '#server/administration/members/change-in-batches.ts';
import { endConnectionsOfWorkspace } from '#server/automation/connections/end-all-connections.ts';
import { revokeTokensOfWorkspace } from '#server/automation/tokens/api-tokens.ts';
import { disableEndpoints } from '#server/automation/webhooks/endpoints.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { addAuditEntry, WITHOUT_CONTACT } from '#server/teammates/audit-log.ts';
import { asOwner } from '#server/teammates/require-role.ts';
import { withTestWorkspace } from '#server/teammates/test-workspaces.ts';

const NOT_SENT = 'The workspace was deleted before the message was sent.';

/**
 * Deletes a workspace, with its test workspace, for an owner who typed its name. It disappears immediately, whatever its size:
 * connections, API tokens and invitations end, no session opens it, its addresses accept no mail, and every member
 * becomes a viewer. A job removes its rows, as there can be many.
 * @throws Refusal unless `by` is an owner and typed the name
 */
export async function deleteWorkspace(input: {
  workspaceId: string;
  name: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, by } = input;
  await asOwner(input, async (tx) => {
    await confirmName(tx, input);
    for (const id of await withTestWorkspace(tx, workspaceId)) await markDeleted(tx, id, by);
  });
  log().info({ workspaceId, userId: by.id }, 'workspace.deleted');
}

async function markDeleted(tx: Tx, workspaceId: string, by: Teammate): Promise<void> {
  const where = { id: workspaceId };
  await endConnectionsOfWorkspace(tx, workspaceId, by);
  await revokeTokensOfWorkspace(tx, workspaceId);
  await disableEndpoints(tx, workspaceId);
  const { name } = await tx.workspace.findUniqueOrThrow({ where, select: { name: true } });
  await addAuditEntry(tx, { workspaceId, kind: 'workspace_deleted', by, data: { name } });
  await revokeAccess(tx, workspaceId);
  await moveSessions(tx, workspaceId);
  await tx.workspace.update({ where, data: { deletedAt: new Date() }, select: { id: true } });
  await queueJob(tx, 'remove-workspace', { workspaceId });
}

async function confirmName(tx: Tx, input: { workspaceId: string; name: string }): Promise<void> {
  const { name } = await tx.workspace.findUniqueOrThrow({
    where: { id: input.workspaceId },
    select: { name: true },
  });
  if (input.name.trim() === name) return;
  throw invalid({ name: [`Type the workspace name exactly as it is written: ${name}`] });
}

/**
 * Revokes all access. Memberships must stay until the conversations assigned to them are removed, so members
 * become viewers. Then no one can connect, be assigned or be notified, on any server.
 */
async function revokeAccess(tx: Tx, workspaceId: string): Promise<void> {
  await tx.member.updateMany({ where: { workspaceId }, data: { role: 'viewer' } });
  await tx.invitation.updateMany({
    where: { workspaceId, acceptedAt: null, withdrawnAt: null },
    data: { withdrawnAt: new Date() },
  });
  await tx.consentForm.deleteMany({ where: { workspaceId } });
  await tx.$executeRaw`
    update mailboxes set address = id || '@deleted.invalid' where workspace_id = ${workspaceId}::uuid`;
  // From now on webhooks find no account, and another workspace can connect it.
  await tx.channelAccount.updateMany({
    where: { workspaceId, deletedAt: null },
    data: { deletedAt: new Date(), credentials: null },
  });
  await tx.message.updateMany({
    where: { workspaceId, sendStatus: 'queued' },
    data: { sendStatus: 'failed', deliveryError: NOT_SENT },
  });
}

/** Switches sessions in which the workspace is open to another workspace of the teammate, or to none. */
async function moveSessions(tx: Tx, workspaceId: string): Promise<void> {
  await tx.user.updateMany({ where: { lastWorkspaceId: workspaceId }, data: { lastWorkspaceId: null } });
  const sessions = await tx.$queryRaw<{ id: string }[]>`
    update sessions s set workspace_id = (
      select m.workspace_id from members m join workspaces w on w.id = m.workspace_id
      where m.user_id = s.user_id and m.workspace_id <> s.workspace_id and w.deleted_at is null
      order by m.created_at, m.workspace_id
      limit 1)
    where s.workspace_id = ${workspaceId}::uuid
    returning s.id`;
  for (const { id } of sessions) afterCommit(tx, () => publishSession(id));
}

/**
 * Deletes everything that can be numerous, in an order without dangling references: merged conversations
 * refer to their target, and conversations to their contact. The foreign keys delete the children of
 * conversations, events and hooks, and the rest with the workspace's row.
 */
const STATEMENTS = [
  `update conversations set merged_into_id = null where id in (
     select id from conversations where workspace_id = $1 and merged_into_id is not null limit ${BATCH})`,
  removing('conversations'),
  // Deliveries are deleted with their events. Lock order everywhere: hooks by id, then deliveries.
  `with locked_hooks as materialized (
     select id from hooks where workspace_id = $1 order by id for no key update
   )
   delete from events where id in (
     select id from events where workspace_id = $1 and (select count(*) from locked_hooks) >= 0 limit ${BATCH})`,
  removing('hooks', 'order by id'),
  removing('contacts'),
  removing('inbound_updates'),
  `delete from report_changes where workspace_id = $1 and id in (
     select id from report_changes where workspace_id = $1 limit ${BATCH})`,
  `delete from report_counts where workspace_id = $1 and ctid = any (array(
     select ctid from report_counts where workspace_id = $1 limit ${BATCH}))`,
  removing('notifications'),
  `update stored_files set workspace_id = null, expires_at = now(), kept_until = null where id in (
     select id from stored_files where workspace_id = $1 limit ${BATCH})`,
  // Files of exports have no workspace.
  `update stored_files set expires_at = now() where id in (
     select a.id from workspace_exports e join workspace_export_archives a on a.export_id = e.id
     join stored_files f on f.id = a.id and f.expires_at > now() where e.workspace_id = $1 limit ${BATCH})`,
  // Nobody could erase a contact from them any more.
  `update audit_entries r set workspace_id = null, ${WITHOUT_CONTACT} where id in (
     select id from audit_entries where workspace_id = $1 limit ${BATCH})`,
];

function removing(table: string, order = ''): string {
  return `delete from ${table} where id in (
    select id from ${table} where workspace_id = $1 ${order} limit ${BATCH} ${order && 'for update'})`;
}

/**
 * Removes the rest of a deleted workspace, its own row last. Continues in another job after the time limit,
 * and can run again at any time. Leaves a workspace that was not deleted unchanged.
 * @param timeLimitMs default: that of `changeInBatches`
 */
export async function removeWorkspace(workspaceId: string, timeLimitMs?: number): Promise<void> {
  const where = { id: workspaceId, deletedAt: { not: null } };
  if ((await db().workspace.count({ where })) === 0) return;
  if (!(await changeInBatches(STATEMENTS, workspaceId, timeLimitMs))) {
    await inTransaction((tx) => queueJob(tx, 'remove-workspace', { workspaceId }));
    return;
  }
  await inTransaction(async (tx) => {
    // The deletion ended all connections. A remaining one would block the deletion of the row forever.
    await endConnectionsOfWorkspace(tx, workspaceId);
    await tx.workspace.deleteMany({ where });
  });
  log().info({ workspaceId }, 'workspace.removed');
}
