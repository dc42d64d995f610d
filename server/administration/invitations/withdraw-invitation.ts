import { findOpen } from '#server/administration/invitations/find-open.ts';
import { requireInviter } from '#server/administration/invitations/invite-teammate.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';

/**
 * Withdraws an invitation: its link works no longer.
 * @throws Refusal when `by` may not invite to its role, there is no such invitation, or it is not open any more
 */
export async function withdrawInvitation(given: {
  workspaceId: string;
  invitationId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, invitationId, by } = given;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { email, role } = await findOpen(tx, given);
    await requireInviter(tx, { workspaceId, role, by });
    await tx.$executeRaw`update invitations set withdrawn_at = now() where id = ${invitationId}::uuid`;
    await addAuditEntry(tx, { workspaceId, kind: 'invitation_withdrawn', by, data: { email, role } });
  });
}
