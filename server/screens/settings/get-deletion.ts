import type { Db } from '#server/core/database/db.ts';
import type { WorkspaceDeletionView } from '#server/screens/settings/views.ts';

/** What is in a workspace that would go with it. */
export async function getDeletion(db: Db, workspaceId: string): Promise<WorkspaceDeletionView> {
  const where = { workspaceId };
  const [workspace, teammates, connections, liveWorkflows, conversations] = await Promise.all([
    db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { name: true } }),
    db.member.count({ where }),
    db.connection.count({ where: { ...where, endedAt: null } }),
    db.hook.count({ where: { ...where, removedAt: null } }),
    db.conversation.count({ where }),
  ]);
  return { ...workspace, teammates, connections, liveWorkflows, conversations };
}
