import { db } from '#server/core/database/prisma.ts';
import { findOutgoingByProviderId } from '#server/inbox/messages/record-status.ts';

/**
 * Finds a message of a chat, a contact's or ours.
 * @param which.externalId the provider's id of the message, or of one of its parts
 */
export async function findChatMessage(which: {
  workspaceId: string;
  externalId: string;
}): Promise<string | null> {
  const { workspaceId, externalId } = which;
  const received = await db().message.findFirst({
    where: { workspaceId, externalId, direction: 'inbound' },
    select: { id: true },
  });
  const found = received ?? (await findOutgoingByProviderId({ workspaceId, providerId: externalId }));
  return found?.id ?? null;
}
