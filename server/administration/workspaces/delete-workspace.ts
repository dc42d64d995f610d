import { BATCH, changeInBatches } from '#server/administration/members/change-in-batches.ts';
import { endConnectionsOfWorkspace } from '#server/automation/connections/end-all-connections.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace, requireOwner } from '#server/teammates/require-role.ts';

/** What is said of messages that were still to leave. */
const NOT_SENT = 'The workspace was deleted before the message was sent.';

/**
 * Deletes a workspace at the hand of an owner who typed its name. It is gone for everyone at once, whatever is in it:
 * its connections end, no session opens it, its addresses take no mail, its invitations end, and no one has a role in
 * it that could do anything. Its rows are removed by a job, as they may be many.
 * @throws Refusal unless `by` is an owner and typed the name
 */
export async function deleteWorkspace(given: {
  workspaceId: string;
  name: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, by } = given;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireOwner(tx, { workspaceId, userId: by.id });
    await confirmName(tx, given);
    await endConnectionsOfWorkspace(tx, workspaceId, by);
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'workspace_deleted',
      by,
      data: { name: given.name.trim() },
    });
    await closeDoors(tx, workspaceId);
    await moveSessions(tx, workspaceId);
    await tx.workspace.update({
      where: { id: workspaceId },
      data: { deletedAt: new Date() },
      select: { id: true },
    });
    await queueJob(tx, 'remove-workspace', { workspaceId });
  });
  log().info({ workspaceId, userId: by.id }, 'workspace.deleted');
}

async function confirmName(tx: Tx, given: { workspaceId: string; name: string }): Promise<void> {
  const { name } = await tx.workspace.findUniqueOrThrow({
    where: { id: given.workspaceId },
    select: { name: true },
  });
  if (given.name.trim() === name) return;
  throw invalid({ name: [`Type the workspace name exactly as it is written: ${name}`] });
}

/**
 * Lets nothing in or out any more. Memberships have to stay until the conversations assigned to them are removed, but
 * as viewers: then no one connects, is assigned or notified of anything in there, on any server.
 */
async function closeDoors(tx: Tx, workspaceId: string): Promise<void> {
  await tx.member.updateMany({ where: { workspaceId }, data: { role: 'viewer' } });
  await tx.invitation.updateMany({
    where: { workspaceId, acceptedAt: null, withdrawnAt: null },
    data: { withdrawnAt: new Date() },
  });
  await tx.consentForm.deleteMany({ where: { workspaceId } });
  await tx.$executeRaw`
    update mailboxes set address = id || '@deleted.invalid' where workspace_id = ${workspaceId}::uuid`;
  // Their providers' calls find no account from now on, and others may connect them.
  await tx.channelAccount.updateMany({
    where: { workspaceId, deletedAt: null },
    data: { deletedAt: new Date(), credentials: null },
  });
  await tx.message.updateMany({
    where: { workspaceId, sendStatus: 'queued' },
    data: { sendStatus: 'failed', deliveryError: NOT_SENT },
  });
}

/** Sessions in which it is open go to another workspace of their teammate, or to none. */
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
