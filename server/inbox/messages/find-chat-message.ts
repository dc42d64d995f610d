import { db } from '#server/core/database/prisma.ts';
import { findReceived } from '#server/inbox/messages/incoming-message.ts';
import { findOutgoingByProviderId } from '#server/inbox/messages/record-status.ts';

/**
 * Returns the id of a message of a chat, a contact's or ours; null if it is not stored.
 * @param which.externalId the provider's id of the message, or of one of its parts
 */
export async function findChatMessage(which: {
  workspaceId: string;
  externalId: string;
}): Promise<string | null> {
  const { workspaceId, externalId } = which;
  const received = await findReceived({ workspaceId, externalId });
  if (received) return received.messageId;
  const part = await db().messagePart.findFirst({
    where: { workspaceId, externalId },
    select: { messageId: true },
  });
  if (part) return part.messageId;
  return (await findOutgoingByProviderId({ workspaceId, providerId: externalId }))?.id ?? null;
}
