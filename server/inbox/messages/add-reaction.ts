import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Received } from '#server/inbox/messages/incoming-message.ts';

/** Maximum number of stored reactions per message. */
const REACTIONS_MAX = 50;

/**
 * Stores a reaction by mail at the message that it is about. It has no other effect (docs/rulings.md 3.20). A repeated
 * reaction, and one beyond the maximum, changes nothing.
 * @param given.inReplyTo Message-IDs of the message
 * @returns undefined when the conversation does not contain the message
 */
export function addReaction(given: {
  workspaceId: string;
  conversationId: string;
  inReplyTo: string[];
  author: { address: string; name: string | null };
  emoji: string;
}): Promise<Received | undefined> {
  const { workspaceId, conversationId, inReplyTo, author, emoji } = given;
  return inTransaction(async (tx) => {
    const reference = await tx.mailReference.findFirst({
      where: { workspaceId, conversationId, messageIdHeader: { in: inReplyTo } },
      select: { messageId: true },
    });
    if (!reference) return undefined;
    const { messageId } = reference;
    const at = { workspaceId, messageId };
    if ((await tx.reaction.count({ where: at })) < REACTIONS_MAX) {
      const row = { ...at, author: author.address, authorName: author.name, emoji };
      await tx.reaction.createMany({ data: [row], skipDuplicates: true });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
    }
    return { messageId, conversationId, contactId: null };
  });
}
