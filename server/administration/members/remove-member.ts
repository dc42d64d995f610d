import {
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
import { publishSession } from '#server/core/live/publish.ts';
import { unassignAll } from '#server/inbox/conversations/unassign-all.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { defaultWorkspace } from '#server/teammates/default-workspace.ts';
import { lockWorkspace, requireManager } from '#server/teammates/require-role.ts';

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

/**
 * Takes a teammate out of a workspace, with all that they are and have there: their connections end (all calls answer
 * 401 from now on; decisions: OAuth, 14), their conversations are no one's, they are in no team, and their sessions
 * open another workspace of theirs or none. What they wrote stays under their name. The caller holds the workspace's
 * lock and has found them to be a member.
 * @param by who removes them; left out when they go themselves
 */
export async function removeMemberRows(
  tx: Tx,
  given: {
    workspaceId: string;
    teammate: Teammate;
    reason: 'teammate_left' | 'teammate_deleted';
    by?: Teammate | undefined;
    actor: Actor;
  },
): Promise<void> {
  const { workspaceId, teammate, reason, by, actor } = given;
  const whose = { workspaceId, userId: teammate.id };
  await endConnectionsOf(tx, { ...whose, by }, reason);
  // Members are locked after connections and before conversations: from here on no one assigns anything to them.
  await tx.$executeRaw`
    select from members where workspace_id = ${workspaceId}::uuid and user_id = ${teammate.id}::uuid for update`;
  await unassignAll(tx, { workspaceId, assignee: teammate, actor, now: new Date() });
  await tx.consentForm.deleteMany({ where: whose });
  await tx.notification.deleteMany({ where: whose });
  await tx.member.deleteMany({ where: whose });
  await closeWorkspace(tx, whose);
}

/** Of a teammate's sessions those in which the workspace is open go to another one of theirs. */
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

/** So many conversations change hands in one transaction, so that none holds its locks for long. */
const BATCH = 1_000;

type Leaving = { workspaceId: string; assignee: Teammate; actor: Actor };

/**
 * Of a teammate with thousands of conversations who is about to leave a workspace, or to become a viewer of it, takes
 * most of them before the transaction in which that happens: that one takes the rest and is short. Someone with few of
 * them keeps these until then. Broken off in between, it has taken conversations from someone who is still there, for
 * others to take up.
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
