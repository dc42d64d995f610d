import { findMember } from '#server/administration/members/find-member.ts';
import type { Db } from '#server/core/database/db.ts';
import type { RemovalView } from '#server/screens/settings/teammates-views.ts';

/**
 * What ends or falls to no one when a teammate leaves a workspace, to be shown before they do.
 * @throws Refusal when the workspace has no such member
 */
export async function getRemoval(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<RemovalView> {
  const { teammate } = await findMember(db, { workspaceId, userId });
  const [connections, liveWorkflows, conversations] = await Promise.all([
    db.connection.count({ where: { workspaceId, userId, endedAt: null } }),
    db.hook.count({ where: { workspaceId, removedAt: null, connection: { userId } } }),
    db.conversation.count({ where: { workspaceId, assigneeId: userId } }),
  ]);
  return { name: teammate.name, connections, liveWorkflows, conversations };
}
