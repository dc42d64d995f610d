import { unassignInBatches } from '#server/administration/members/remove-member.ts';
import {
  FOLLOWS_WORKSPACE,
  type FoundMember,
  findMember,
  refuseLastOwner,
  rolesToGive,
} from '#server/administration/members/role-rules.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { unassignAll } from '#server/inbox/conversations/unassign-all.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace, requireManager } from '#server/teammates/require-role.ts';
import { refuseInTestWorkspace, withTestWorkspace } from '#server/teammates/test-workspaces.ts';

const ONLY_OWNERS_MAKE_OWNERS = 'Only owners can make someone an owner or change an owner’s role.';

type RoleChange = { workspaceId: string; userId: string; role: Role; by: Teammate };

/**
 * Changes the role of a teammate, who can be `by`. Giving the current role changes nothing. A workspace
 * always keeps an owner. A new viewer loses their conversations, as viewers have none. The connections of a teammate
 * who is no longer an owner or admin end later: at the next token request or delivery
 * (docs/spec.md §1, connection management). A test workspace follows the roles of its workspace.
 * @throws Refusal when `by` may not do this, there is no such member, or the member is the last owner
 */
export async function setRole(change: RoleChange): Promise<void> {
  const { workspaceId, userId, role, by } = change;
  const actor: Actor = userId === by.id ? { kind: 'automatic' } : { kind: 'teammate', teammate: by };
  if (role === 'viewer') {
    const { teammate, role: before } = await inTransaction((tx) => check(tx, change));
    if (before !== 'viewer') await unassignInBatches({ workspaceId, assignee: teammate, actor });
  }
  await inTransaction(async (tx) => {
    const { teammate, role: before } = await check(tx, change);
    if (before === role) return;
    for (const id of await withTestWorkspace(tx, workspaceId)) {
      await giveRole(tx, { workspaceId: id, teammate, role, actor });
    }
    const data = { teammateId: userId, teammateName: teammate.name, from: before, to: role };
    await addAuditEntry(tx, { workspaceId, kind: 'role_changed', by, data });
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

async function giveRole(
  tx: Tx,
  change: { workspaceId: string; teammate: Teammate; role: Role; actor: Actor },
): Promise<void> {
  const { workspaceId, teammate, role, actor } = change;
  const whose = { workspaceId, userId: teammate.id };
  // Lock order: members before conversations. From here on nothing can be assigned to the new viewer.
  await tx.member.updateMany({ where: whose, data: { role } });
  if (role !== 'viewer') return;
  await unassignAll(tx, { workspaceId, assignee: teammate, actor, now: new Date() });
  // Viewers are in no team.
  await tx.teamMember.deleteMany({ where: whose });
}

/** Locks the workspace and checks that the change is allowed. */
async function check(tx: Tx, { workspaceId, userId, role, by }: RoleChange): Promise<FoundMember> {
  await lockWorkspace(tx, workspaceId);
  const acting = await requireManager(tx, { workspaceId, userId: by.id });
  await refuseInTestWorkspace(tx, workspaceId, FOLLOWS_WORKSPACE);
  const member = await findMember(tx, { workspaceId, userId });
  if (!rolesToGive(acting, member.role).includes(role)) {
    throw new Refusal('forbidden', ONLY_OWNERS_MAKE_OWNERS);
  }
  if (member.role === 'owner' && role !== 'owner') {
    await refuseLastOwner(tx, { workspaceId });
  }
  return member;
}
