import { endConnectionsOf } from '#server/automation/connections/end-all-connections.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { unassignAll } from '#server/inbox/conversations/unassign-all.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { defaultWorkspace } from '#server/teammates/default-workspace.ts';

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
