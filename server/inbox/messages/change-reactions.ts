import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Received } from '#server/inbox/messages/incoming-message.ts';

/** Maximum number of stored reactions per message. */
const REACTIONS_MAX = 50;
/** Maximum length of an emoji, or of a provider's name for one, in UTF-16 units. */
const EMOJI_MAX_LENGTH = 64;

/** The person who reacted: an email address, or an id at the provider. */
type Reactor = { address: string; name: string | null };

/**
 * Adds a reaction by mail to the message that it is about. A repeated one changes nothing.
 * @param inReplyTo Message-IDs of the message
 * @returns undefined when the conversation does not contain the message
 */
export async function addMailReaction(reaction: {
  workspaceId: string;
  conversationId: string;
  inReplyTo: string[];
  author: Reactor;
  emoji: string;
}): Promise<Received | undefined> {
  const { workspaceId, conversationId, inReplyTo, author, emoji } = reaction;
  const reference = await db().mailReference.findFirst({
    where: { workspaceId, conversationId, messageIdHeader: { in: inReplyTo } },
    select: { messageId: true },
  });
  if (!reference) return undefined;
  const { messageId } = reference;
  await changeReactions({ workspaceId, messageId, author, added: [emoji], removed: [] });
  return { messageId, conversationId, contactId: null };
}

/**
 * Changes a person's reactions to a message. They have no other effect (docs/rulings.md 3.20, 3.28). Adds none beyond the
 * maximum.
 * @param removed `others`: all of this person's but the added ones
 */
export async function changeReactions(change: {
  workspaceId: string;
  messageId: string;
  author: Reactor;
  added: string[];
  removed: string[] | 'others';
}): Promise<void> {
  const { workspaceId, messageId, author, removed } = change;
  const added = change.added.filter((emoji) => emoji !== '' && emoji.length <= EMOJI_MAX_LENGTH);
  const at = { workspaceId, messageId };
  await inTransaction(async (tx) => {
    const emoji = removed === 'others' ? { notIn: added } : { in: removed };
    await tx.reaction.deleteMany({ where: { ...at, author: author.address, emoji } });
    const room = REACTIONS_MAX - (await tx.reaction.count({ where: at }));
    const rows = added
      .slice(0, Math.max(0, room))
      .map((emoji) => ({ ...at, author: author.address, authorName: author.name, emoji }));
    await tx.reaction.createMany({ data: rows, skipDuplicates: true });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}
