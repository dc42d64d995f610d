import type { Tx } from '#server/core/database/db.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  withLockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Takes tags from a conversation, without regard to case; those it does not have are passed over, and without any
 * nothing changes. It is in the timeline but emits no event: the contract has none.
 * @throws Refusal when there is no such conversation or it was merged
 */
export async function removeTags(given: {
  workspaceId: string;
  id: string;
  actor: Actor;
  tags: string[];
}): Promise<void> {
  const { workspaceId, id, actor, tags } = given;
  await withLockedConversation({ workspaceId, id }, async (tx, conversation) => {
    const removed = await deleteTags(tx, conversation, tags);
    if (removed.length === 0) return;
    const change = changeOf({ entries: [{ kind: 'untagged', data: { tags: removed } }] });
    await writeChange(tx, conversation, { actor, change, now: new Date() });
  });
}

/** Deletes the tags and returns them as they were spelled, in the order in which they were added. */
async function deleteTags(
  tx: Tx,
  { id: conversationId }: LockedConversation,
  tags: string[],
): Promise<string[]> {
  const where = { conversationId, key: { in: tags.map((tag) => tag.toLowerCase()) } };
  // A change of tags holds the conversation's row, so nothing comes between the two statements.
  const found = await tx.conversationTag.findMany({
    where,
    select: { name: true },
    orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
  });
  await tx.conversationTag.deleteMany({ where });
  return found.map(({ name }) => name);
}
