import {
  FOLLOWS_WORKSPACE,
  type FoundMember,
  findMember,
  mayRemove,
  refuseLastOwner,
} from '#server/administration/members/role-rules.ts';
import { endConnectionsOf } from '#server/automation/connections/end-all-connections.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { publish, publishSession } from '#server/core/live/publish.ts';
import { unassignAll } from '#server/inbox/conversations/unassign-all.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { defaultWorkspace } from '#server/teammates/default-workspace.ts';
import { lockWorkspace, requireManager } from '#server/teammates/require-role.ts';
import { refuseInTestWorkspace, withTestWorkspace } from '#server/teammates/test-workspaces.ts';

type Removal = { workspaceId: string; userId: string; by: Teammate };

/**
 * Removes a teammate from a workspace and its test workspace, and ends their connections. `by` is an owner, an admin, or the teammate
 * who leaves. The last owner stays, even when two owners leave at the same time.
 * @throws Refusal when `by` may not do this, there is no such member, or the member is the last owner
 */
export async function removeMember(removal: Removal): Promise<void> {
  const { workspaceId, userId, by } = removal;
  const leaves = userId === by.id;
  const actor: Actor = leaves ? { kind: 'automatic' } : { kind: 'teammate', teammate: by };
  const { teammate } = await inTransaction((tx) => check(tx, removal));
  await unassignInBatches({ workspaceId, assignee: teammate, actor });
  await inTransaction(async (tx) => {
    const { role } = await check(tx, removal);
    for (const id of await withTestWorkspace(tx, workspaceId)) {
      await removeMemberRows(tx, {
        workspaceId: id,
        teammate,
        reason: 'teammate_left',
        by: leaves ? undefined : by,
        actor,
      });
    }
    const kind = leaves ? 'teammate_left' : 'teammate_removed';
    const data = { teammateId: userId, teammateName: teammate.name, role };
    await addAuditEntry(tx, { workspaceId, kind, by, data });
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
}

/** Locks the workspace and checks that the removal is allowed. */
async function check(tx: Tx, { workspaceId, userId, by }: Removal): Promise<FoundMember> {
  await lockWorkspace(tx, workspaceId);
  const acting = userId === by.id ? undefined : await requireManager(tx, { workspaceId, userId: by.id });
  await refuseInTestWorkspace(tx, workspaceId, FOLLOWS_WORKSPACE);
  const member = await findMember(tx, { workspaceId, userId });
  if (acting && !mayRemove(acting, member.role)) {
    throw new Refusal('forbidden', 'Only owners can remove an owner.');
  }
  if (member.role === 'owner') await refuseLastOwner(tx, { workspaceId });
  return member;
}

/**
 * Removes a teammate's rows in a workspace. Their connections end (all calls return 401 from now on;
 * docs/rulings.md 4.14), their conversations become unassigned, they leave their teams, their link to the identity provider is removed,
 * and their sessions open another workspace or none. Their account remembers whether they saw only assigned conversations. Messages and
 * notes keep their name. The caller holds the workspace lock and
 * has checked the membership.
 * @param by the teammate who removes them; undefined when they leave
 */
export async function removeMemberRows(
  tx: Tx,
  removal: {
    workspaceId: string;
    teammate: Teammate;
    reason: 'teammate_left' | 'teammate_deleted';
    by?: Teammate | undefined;
    actor: Actor;
  },
): Promise<void> {
  const { workspaceId, teammate, reason, by, actor } = removal;
  const whose = { workspaceId, userId: teammate.id };
  await endConnectionsOf(tx, { ...whose, by }, reason);
  // Lock order: connections, members, conversations. From here on nothing can be assigned to the teammate.
  await tx.$executeRaw`
    select from members where workspace_id = ${workspaceId}::uuid and user_id = ${teammate.id}::uuid for update`;
  await unassignAll(tx, { workspaceId, assignee: teammate, actor, now: new Date() });
  await tx.consentForm.deleteMany({ where: whose });
  await tx.notification.deleteMany({ where: whose });
  // Whoever is invited again must not see more than before.
  await tx.$executeRaw`
    update users u set limited_in = array_append(u.limited_in, m.workspace_id) from members m
    where u.id = ${teammate.id}::uuid and m.workspace_id = ${workspaceId}::uuid and m.user_id = u.id and m.only_assigned`;
  await tx.member.deleteMany({ where: whose });
  // Someone else may get the address at the provider, and is not let in while the person before is linked.
  await tx.signOnIdentity.deleteMany({ where: whose });
  await closeWorkspace(tx, whose);
  // Lock order: sessions, then their confirmations.
  await tx.sessionSignOn.deleteMany({ where: { workspaceId, session: { userId: teammate.id } } });
}

/** Switches sessions in which the workspace is open to another workspace of the teammate, or to none. */
async function closeWorkspace(tx: Tx, { workspaceId, userId }: { workspaceId: string; userId: string }) {
  await tx.user.updateMany({
    where: { id: userId, lastWorkspaceId: workspaceId },
    data: { lastWorkspaceId: null },
  });
  const sessions = await tx.session.updateManyAndReturn({
    where: { userId, workspaceId },
    data: { workspaceId: await defaultWorkspace(tx, userId) },
    select: { id: true },
  });
  for (const { id } of sessions) afterCommit(tx, () => publishSession(id));
}

/** Conversations per transaction, so that none holds its locks for long. */
const BATCH = 1_000;

type Leaving = { workspaceId: string; assignee: Teammate; actor: Actor };

/**
 * Unassigns the conversations of a teammate with thousands of them before the transaction that removes or
 * demotes the teammate. That transaction unassigns the rest and stays short. If the process stops in between,
 * some conversations of a teammate who is still there are unassigned.
 */
export async function unassignInBatches(leaving: Leaving): Promise<void> {
  while (await hasMany(leaving)) {
    await inTransaction((tx) => unassignAll(tx, { ...leaving, now: new Date(), limit: BATCH }));
  }
}

async function hasMany({ workspaceId, assignee }: Leaving): Promise<boolean> {
  const beyond = await db().conversation.findMany({
    where: { workspaceId, assigneeId: assignee.id },
    select: { id: true },
    skip: BATCH,
    take: 1,
  });
  return beyond.length > 0;
}
