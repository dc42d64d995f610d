import { addAuditEntry } from '#server/connections/add-audit-entry.ts';
import { inTransaction } from '#server/db.ts';
import { Refusal } from '#server/errors.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import type { Teammate } from '#server/teammates/actor.ts';
import { findMember } from '#server/teammates/find-member.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { refuseLastOwner } from '#server/teammates/refuse-last-owner.ts';
import { requireManager } from '#server/teammates/require-role.ts';
import { rolesToGive } from '#server/teammates/role-rules.ts';

/** The sentence for an admin who would make or unmake an owner. */
export const ONLY_OWNERS_MAKE_OWNERS = 'Only owners can make somebody an owner, or change what an owner is.';

/**
 * Gives a teammate of a workspace another role, oneself included; the one they have changes nothing. The workspace
 * always keeps an owner. A connection of somebody who is neither owner nor admin any more ends when the platform next
 * asks for a token or an event is to be delivered, not here (spec.md §1, connection management).
 * @throws Refusal when `by` may not do this, there is no such member, or it is the last owner
 */
export async function setRole(given: {
  workspaceId: string;
  userId: string;
  role: Role;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, userId, role, by } = given;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const acting = await requireManager(tx, { workspaceId, userId: by.id });
    const member = await findMember(tx, { workspaceId, userId });
    if (!rolesToGive(acting, member.role).includes(role)) {
      throw new Refusal('forbidden', ONLY_OWNERS_MAKE_OWNERS);
    }
    if (member.role === role) return;
    const { name } = member.teammate;
    if (member.role === 'owner') await refuseLastOwner(tx, { workspaceId, name });
    await tx.member.update({
      where: { workspaceId_userId: { workspaceId, userId } },
      data: { role },
      select: { role: true },
    });
    // Viewers take no conversations, so they are in no team either.
    if (role === 'viewer') await tx.teamMember.deleteMany({ where: { workspaceId, userId } });
    const data = { teammateId: userId, teammateName: name, from: member.role, to: role };
    await addAuditEntry(tx, { workspaceId, kind: 'role_changed', by, data });
  });
}
