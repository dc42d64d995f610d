import { v7 as uuidv7 } from 'uuid';
import { FOLLOWS_WORKSPACE, rolesToInvite } from '#server/administration/members/role-rules.ts';
import { requireEmail } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace, requireManager } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import { refuseInTestWorkspace } from '#server/teammates/test-workspaces.ts';

const TOO_MANY = 'Too many invitations were sent. Wait an hour and try again.';

/**
 * Invites a person to a workspace by email. A job sends the email with a link that works once, for seven
 * days.
 * @param onlyAssigned an agent or viewer will see only conversations that are assigned to them or their teams. Also set for one who did
 *   when they left
 * @returns the invitation's id
 * @throws Refusal when `by` may not invite to that role, the address is invalid, already a member or already
 * invited, or after 50 emails an hour
 */
export async function inviteTeammate(invitation: {
  workspaceId: string;
  email: string;
  role: Role;
  onlyAssigned?: boolean | undefined;
  by: Teammate;
}): Promise<{ id: string; onlyAssigned: boolean }> {
  const { workspaceId, role, by } = invitation;
  const email = requireEmail(invitation.email);
  await consumeMailQuota(workspaceId);
  return inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireInviter(tx, { workspaceId, role, by });
    await refuseKnown(tx, { workspaceId, email });
    const isLimited = invitation.onlyAssigned || (await wasLimited(tx, { workspaceId, email }));
    const onlyAssigned = isLimited && !isAdmin(role);
    const { id } = await openInvitation(tx, {
      workspaceId,
      email,
      role,
      onlyAssigned,
      name: null,
      tokenHash: null,
      invitedById: by.id,
    });
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'teammate_invited',
      by,
      data: { email, role, ...(onlyAssigned ? { sees: 'assigned' } : {}) },
    });
    await queueInvitationMail(tx, id);
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
    return { id, onlyAssigned };
  });
}

/** Returns whether the teammate with an address saw only assigned conversations when they left the workspace. */
async function wasLimited(
  tx: Tx,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<boolean> {
  return (await tx.user.count({ where: { email, limitedIn: { has: workspaceId } } })) > 0;
}

/**
 * Checks that `by` may invite to the role. Resending and withdrawing such an invitation need the same
 * permission. Nobody is invited to a test workspace: its outbox would show the link, which proves the invited address.
 * @throws Refusal
 */
export async function requireInviter(
  tx: Tx,
  { workspaceId, role, by }: { workspaceId: string; role: Role; by: Teammate },
): Promise<void> {
  const acting = await requireManager(tx, { workspaceId, userId: by.id });
  await refuseInTestWorkspace(tx, workspaceId, FOLLOWS_WORKSPACE);
  if (rolesToInvite(acting).includes(role)) return;
  throw new Refusal('forbidden', 'Only owners can invite someone as an owner.');
}

/**
 * Counts an invitation email of the workspace. Called before the transaction: counting needs a separate connection, and
 * transactions that hold the last connections would deadlock.
 * @throws Refusal over the limit
 */
export async function consumeMailQuota(workspaceId: string): Promise<void> {
  if (!(await consumeLimit('invitation', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
}

/** Queues the email. The queue runs serially, so that a hanging mail server occupies only one worker slot. */
export function queueInvitationMail(tx: Tx, invitationId: string): Promise<void> {
  return queueJob(tx, 'mail-invitation', { invitationId }, { queue: 'mail-accounts' });
}

async function refuseKnown(
  tx: Tx,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<void> {
  if ((await tx.member.count({ where: { workspaceId, user: { email } } })) > 0) {
    throw invalid({ email: [`${email} is already in this workspace.`] });
  }
  // An expired invitation does not block a new one.
  await tx.$executeRaw`
    update invitations set withdrawn_at = now()
    where workspace_id = ${workspaceId}::uuid and email = ${email} and accepted_at is null and withdrawn_at is null
      and expires_at <= now()`;
  const open = { workspaceId, email, acceptedAt: null, withdrawnAt: null };
  if ((await tx.invitation.count({ where: open })) > 0) {
    throw invalid({
      email: [`${email} is already invited. Send that invitation again, or withdraw it first.`],
    });
  }
}

export const INVITATION_DAYS = 7;

/**
 * Inserts an invitation. The caller holds the workspace lock and has checked that the address has no open
 * invitation.
 * @param email lowercase
 * @param tokenHash null until the invitation email creates the token
 */
export async function openInvitation(
  tx: Tx,
  invitation: {
    workspaceId: string;
    email: string;
    role: Role;
    onlyAssigned?: boolean;
    name: string | null;
    tokenHash: Uint8Array | null;
    invitedById: string | null;
  },
): Promise<{ id: string; expiresAt: Date }> {
  const { workspaceId, email, role, onlyAssigned = false, name, tokenHash, invitedById } = invitation;
  const [row] = await tx.$queryRaw<{ id: string; expiresAt: Date }[]>`
    insert into invitations (id, workspace_id, email, role, only_assigned, name, token_hash, invited_by_id, expires_at)
    values (${uuidv7()}::uuid, ${workspaceId}::uuid, ${email}, ${role}::role, ${onlyAssigned}, ${name}, ${tokenHash},
      ${invitedById}::uuid, now() + make_interval(days => ${INVITATION_DAYS}::int))
    returning id, expires_at as "expiresAt"`;
  if (!row) throw new Error('The invitation was not written.');
  return row;
}
