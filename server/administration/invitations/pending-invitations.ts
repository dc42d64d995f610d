import { validate as isUuid } from 'uuid';
import {
  consumeMailQuota,
  INVITATION_DAYS,
  queueInvitationMail,
  requireInviter,
} from '#server/administration/invitations/invite-teammate.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/**
 * Sends an invitation again, with a new link that is valid for seven days. The previous link stops working.
 * @throws Refusal when `by` may not invite to its role, or the invitation does not exist or is no longer
 * open
 */
export async function resendInvitation(which: {
  workspaceId: string;
  invitationId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, invitationId, by } = which;
  await consumeMailQuota(workspaceId);
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { role } = await findOpen(tx, which);
    await requireInviter(tx, { workspaceId, role, by });
    await tx.$executeRaw`
      update invitations set token_hash = null, mailed_at = null, invited_by_id = ${by.id}::uuid,
        expires_at = now() + make_interval(days => ${INVITATION_DAYS}::int)
      where id = ${invitationId}::uuid`;
    await queueInvitationMail(tx, invitationId);
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
}

/**
 * Withdraws an invitation: its link stops working.
 * @throws Refusal when `by` may not invite to its role, or the invitation does not exist or is no longer
 * open
 */
export async function withdrawInvitation(which: {
  workspaceId: string;
  invitationId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, invitationId, by } = which;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { email, role } = await findOpen(tx, which);
    await requireInviter(tx, { workspaceId, role, by });
    await tx.$executeRaw`update invitations set withdrawn_at = now() where id = ${invitationId}::uuid`;
    await addAuditEntry(tx, { workspaceId, kind: 'invitation_withdrawn', by, data: { email, role } });
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
}

/**
 * Finds an invitation that was neither accepted nor withdrawn; it may have expired. The caller holds the
 * workspace lock, so the state cannot change.
 * @throws Refusal when there is none, or it is no longer open
 */
async function findOpen(
  tx: Tx,
  { workspaceId, invitationId: id }: { workspaceId: string; invitationId: string },
): Promise<{ email: string; role: Role }> {
  const found = isUuid(id)
    ? await tx.invitation.findFirst({
        where: { id, workspaceId },
        select: { email: true, role: true, acceptedAt: true, withdrawnAt: true },
      })
    : null;
  if (!found) throw notFound('The invitation');
  const { email, role, acceptedAt, withdrawnAt } = found;
  if (acceptedAt) throw invalid({ invitation: [`${email} has already accepted this invitation.`] });
  if (withdrawnAt) throw invalid({ invitation: [`The invitation for ${email} was already withdrawn.`] });
  return { email, role };
}
