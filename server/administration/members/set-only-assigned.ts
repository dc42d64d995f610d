import { findMember } from '#server/administration/members/role-rules.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { invalid } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const SEES_ALL = 'Owners and admins see all conversations. Give the teammate another role first.';

/**
 * Sets whether a teammate sees only the conversations that are assigned to them or their teams.
 * @throws Refusal when `by` is neither owner nor admin, there is no such member, or the member is an owner or admin
 */
export async function setOnlyAssigned(change: {
  workspaceId: string;
  userId: string;
  onlyAssigned: boolean;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, userId, onlyAssigned, by } = change;
  await asManager(change, async (tx) => {
    const { teammate, role } = await findMember(tx, { workspaceId, userId });
    if (onlyAssigned && isAdmin(role)) throw invalid({ userId: [SEES_ALL] });
    const { count } = await tx.member.updateMany({
      where: { workspaceId, userId, onlyAssigned: !onlyAssigned },
      data: { onlyAssigned },
    });
    if (count === 0) return;
    const data = { teammateId: userId, teammateName: teammate.name };
    await addAuditEntry(tx, { workspaceId, kind: onlyAssigned ? 'view_limited' : 'view_opened', by, data });
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}
