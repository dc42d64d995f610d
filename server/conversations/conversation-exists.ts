import { db } from '#server/db.ts';

/** Whether a workspace has a conversation of this id, merged or not. */
export async function conversationExists(which: { workspaceId: string; id: string }): Promise<boolean> {
  const where = { workspaceId_id: which };
  return (await db().conversation.findUnique({ where, select: { id: true } })) !== null;
}
