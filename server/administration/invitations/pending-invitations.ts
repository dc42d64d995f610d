import { findOpen } from '#server/administration/invitations/find-open.ts';
import {
  queueInvitationMail,
  requireInviter,
  takeMail,
} from '#server/administration/invitations/invite-teammate.ts';
import { INVITATION_DAYS } from '#server/administration/invitations/open-invitation.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';

/**
 * Sends an invitation again, with a new link for another seven days. The one before works no longer from now on.
 * @throws Refusal when `by` may not invite to its role, there is no such invitation, or it is not open any more
 */
export async function resendInvitation(given: {
  workspaceId: string;
  invitationId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, invitationId, by } = given;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { role } = await findOpen(tx, given);
    await requireInviter(tx, { workspaceId, role, by });
    await takeMail(workspaceId);
    await tx.$executeRaw`
      update invitations set token_hash = null, mailed_at = null, invited_by_id = ${by.id}::uuid,
        expires_at = now() + make_interval(days => ${INVITATION_DAYS}::int)
      where id = ${invitationId}::uuid`;
    await queueInvitationMail(tx, invitationId);
  });
}
