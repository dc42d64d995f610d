import { endConnectionsOfWorkspace } from '#server/automation/connections/end-connections-of-workspace.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit, inTransaction, type Tx } from '#server/core/database/db.ts';
import { invalid } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireOwner } from '#server/teammates/require-role.ts';

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
