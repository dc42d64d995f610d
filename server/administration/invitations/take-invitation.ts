import { findByToken, type OpenInvitation } from '#server/administration/invitations/find-by-token.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';

/**
 * Uses an invitation up and makes someone a member in its role. What makes or ends invitations and memberships holds
 * the workspace's lock, so what is found under it is true; the invitation itself is used up by one conditional update.
 * @param userOf who accepts, asked once the invitation is this transaction's
 * @throws Refusal when it cannot be accepted (any more), or they are in the workspace already
 */
export async function takeInvitation(
  tx: Tx,
  token: string,
  userOf: (invitation: OpenInvitation) => Promise<Teammate>,
): Promise<{ invitation: OpenInvitation; user: Teammate }> {
  const { id, workspaceId } = await findByToken(tx, token);
  await lockWorkspace(tx, workspaceId);
  const invitation = await findByToken(tx, token);
  const taken = await tx.$executeRaw`
    update invitations set accepted_at = now()
    where id = ${id}::uuid and accepted_at is null and withdrawn_at is null and expires_at > now()`;
  if (taken === 0) throw new Refusal('not_found', 'This invitation can no longer be accepted.');
  const user = await userOf(invitation);
  await holdAccount(tx, user.id);
  const { role, workspaceName } = invitation;
  const { count } = await tx.member.createMany({
    data: { workspaceId, userId: user.id, role },
    skipDuplicates: true,
  });
  if (count === 0) throw invalid({ invitation: [`You are already in ${workspaceName}.`] });
  await addAuditEntry(tx, { workspaceId, kind: 'teammate_joined', by: user, data: { role } });
  return { invitation, user };
}

/** Locked after the workspace, like when an account is deleted: that then finds the membership, or this no account. */
async function holdAccount(tx: Tx, userId: string): Promise<void> {
  const held = await tx.$queryRaw<unknown[]>`
    select from users where id = ${userId}::uuid and deleted_at is null for key share`;
  if (held.length === 0) throw new Refusal('not_found', 'Your account was deleted.');
}
