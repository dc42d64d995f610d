import { validate as isUuid } from 'uuid';
import type { Tx } from '#server/core/database/db.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';

/** Where what a contact says belongs. */
export type WhereContactWrites = {
  /** Locked: the conversation itself, or the one it was merged into. */
  conversation: LockedConversation;
  /** The conversation that the contact knows, which is the same one unless it was merged; not locked. */
  known: { contactId: string | null; status: ConversationStatus; wasSolved: boolean };
};

/**
 * Locks the conversation that a contact's message or rating belongs to: the given one, or the one it was merged into
 * (decisions: conversations and contacts, 3). It is looked for before anything is locked, as a merge locks both in an
 * order of its own; a merge between looking and locking is followed too.
 * @throws Refusal when the workspace has no such conversation
 */
export async function lockWhereContactWrites(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<WhereContactWrites> {
  const seen = isUuid(id)
    ? await tx.conversation.findUnique({
        where: { workspaceId_id: { workspaceId, id } },
        select: { mergedIntoId: true, contactId: true, status: true, resolvedAt: true },
      })
    : null;
  let conversation = await lockConversation(tx, { workspaceId, id: seen?.mergedIntoId ?? id });
  while (conversation.mergedIntoId !== null) {
    conversation = await lockConversation(tx, { workspaceId, id: conversation.mergedIntoId });
  }
  // Begun while this looked, and so seen by the lock alone.
  const known = seen ? { ...seen, wasSolved: seen.resolvedAt !== null } : conversation;
  return { conversation, known };
}
