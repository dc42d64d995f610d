import { type FoundMember, findMember } from '#server/administration/members/find-member.ts';
import { refuseLastOwner } from '#server/administration/members/refuse-last-owner.ts';
import { removeMemberRows } from '#server/administration/members/remove-member-rows.ts';
import { mayRemove } from '#server/administration/members/role-rules.ts';
import { unassignInBatches } from '#server/administration/members/unassign-in-batches.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

type Removal = { workspaceId: string; userId: string; by: Teammate };

/**
 * Removes a teammate from a workspace at the hand of an owner or admin, or at their own: then they leave. Their
 * connections end with it. The last owner stays, also when two leave at the same time.
 * @throws Refusal when `by` may not do this, there is no such member, or it is the last owner
 */
export async function removeMember(given: Removal): Promise<void> {
  const { workspaceId, userId, by } = given;
  const leaves = userId === by.id;
  const actor: Actor = leaves ? { kind: 'automatic' } : { kind: 'teammate', teammate: by };
  const { teammate } = await inTransaction((tx) => check(tx, given));
  await unassignInBatches({ workspaceId, assignee: teammate, actor });
  await inTransaction(async (tx) => {
    const { role } = await check(tx, given);
    await removeMemberRows(tx, {
      workspaceId,
      teammate,
      reason: 'teammate_left',
      by: leaves ? undefined : by,
      actor,
    });
    const kind = leaves ? 'teammate_left' : 'teammate_removed';
    const data = { teammateId: userId, teammateName: teammate.name, role };
    await addAuditEntry(tx, { workspaceId, kind, by, data });
  });
}

/** Whether it may be done, as things are while the workspace is locked. */
async function check(tx: Tx, { workspaceId, userId, by }: Removal): Promise<FoundMember> {
  await lockWorkspace(tx, workspaceId);
  const acting = userId === by.id ? undefined : await requireManager(tx, { workspaceId, userId: by.id });
  const member = await findMember(tx, { workspaceId, userId });
  if (acting && !mayRemove(acting, member.role)) {
    throw new Refusal('forbidden', 'Only owners can remove an owner.');
  }
  if (member.role === 'owner') await refuseLastOwner(tx, { workspaceId, name: member.teammate.name });
  return member;
}
