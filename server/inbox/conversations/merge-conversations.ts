import { inTransaction, type Tx } from '#server/ground/db.ts';
import { invalid } from '#server/ground/errors.ts';
import { changeOf } from '#server/inbox/conversations/change.ts';
import {
  type LockedConversation,
  lockConversation,
  refuseMerged,
} from '#server/inbox/conversations/lock-conversation.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';
import type { Actor } from '#server/people/teammates/actor.ts';

/**
 * Merges a conversation into another one of the workspace: from now on it changes no more, searches and samples
 * leave it out, its time limits stop, and what its contact writes goes to the other one. Conversations that were
 * merged into it follow. Emits nothing. Both rows are locked in the order of their ids, so that two merges at once
 * cannot block each other.
 * @throws Refusal when one of them is not there, is merged already, or both are the same
 */
export async function mergeConversations(given: {
  workspaceId: string;
  id: string;
  intoId: string;
  actor: Actor;
}): Promise<void> {
  const { workspaceId, actor } = given;
  const [id, intoId] = [given.id.toLowerCase(), given.intoId.toLowerCase()];
  if (id === intoId) throw invalid({ conversation: ['A conversation cannot be merged into itself.'] });
  await inTransaction(async (tx) => {
    const [from, into] = await lockBoth(tx, { workspaceId, id, intoId });
    if (from.isTest !== into.isTest) {
      const message =
        'A conversation from testing the AI agent can only be merged with another test conversation.';
      throw invalid({ conversation: [message] });
    }
    const now = new Date();
    await tx.conversation.updateMany({
      where: { workspaceId, mergedIntoId: id },
      data: { mergedIntoId: intoId },
    });
    await tx.sample.deleteMany({ where: { conversationId: id } });
    await writeChange(tx, from, {
      actor,
      now,
      change: changeOf({
        columns: { mergedIntoId: intoId },
        entries: [{ kind: 'merged', data: { intoId } }],
        clocks: ['stop'],
      }),
    });
    const entry = { kind: 'merged_here' as const, data: { fromId: id } };
    await writeChange(tx, into, { actor, now, change: changeOf({ entries: [entry] }) });
  });
}

async function lockBoth(
  tx: Tx,
  { workspaceId, id, intoId }: { workspaceId: string; id: string; intoId: string },
): Promise<[LockedConversation, LockedConversation]> {
  const [first, second] = id < intoId ? [id, intoId] : [intoId, id];
  const one = await lockConversation(tx, { workspaceId, id: first });
  const other = await lockConversation(tx, { workspaceId, id: second });
  // Refused when both are there: that one is not is told first, whichever of them has the smaller id.
  for (const conversation of [one, other]) refuseMerged(conversation);
  return one.id === id ? [one, other] : [other, one];
}
