import { db } from '#server/core/database/db.ts';

/**
 * Whether the platform may know a conversation of this id, merged or not: one from testing the AI agent does not exist for
 * it (decisions: conversations and contacts, 15).
 */
export async function conversationExists(which: { workspaceId: string; id: string }): Promise<boolean> {
  const where = { workspaceId_id: which, isTest: false };
  return (await db().conversation.findUnique({ where, select: { id: true } })) !== null;
}
