import { db } from '#server/core/database/db.ts';

/** Where a message of a contact went. */
export type Received = {
  messageId: string;
  conversationId: string;
  /** Null when nothing is known of who wrote. */
  contactId: string | null;
};

/** Where a message went that its provider knows by this id, or undefined when it was not taken in yet. */
export async function findReceived({
  workspaceId,
  externalId,
}: {
  workspaceId: string;
  externalId: string | null;
}): Promise<Received | undefined> {
  if (externalId === null) return undefined;
  const message = await db().message.findUnique({
    where: { workspaceId_externalId: { workspaceId, externalId } },
    select: { id: true, conversation: { select: { id: true, contactId: true } } },
    relationLoadStrategy: 'join',
  });
  if (!message) return undefined;
  const { id: messageId, conversation } = message;
  return { messageId, conversationId: conversation.id, contactId: conversation.contactId };
}
