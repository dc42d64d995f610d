import { validate as isUuid } from 'uuid';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { findMergeProblems } from '#server/inbox/conversations/find-merge-problems.ts';
import {
  type LockedConversation,
  lockConversation,
  refuseMerged,
} from '#server/inbox/conversations/lock-conversation.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Merges a conversation into another one of the workspace: from now on it changes no more, searches and samples
 * leave it out, its time limits stop, and what its contact writes goes to the other one. Conversations that were
 * merged into it follow. Emits nothing. All these rows are locked in the order of their ids, so that changes at once
 * cannot block each other.
 * @throws Refusal when one of them is not there, is merged already, both are the same, or somebody would read what is not
 *   meant for them (`findMergeProblems`)
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
    if (into.channel === 'webchat') {
      const { [intoId]: problem } = await findMergeProblems(tx, { workspaceId, id, intoIds: [intoId] });
      if (problem) throw invalid({ conversation: [problem] });
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
  if (!isUuid(id) || !isUuid(intoId)) throw notFound('The conversation');
  // One merge at a time in a workspace: otherwise it could not be said beforehand which conversations follow.
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`merge ${workspaceId}`}, 0))`;
  await tx.$executeRaw`
    select from conversations
    where workspace_id = ${workspaceId}::uuid
      and (id in (${id}::uuid, ${intoId}::uuid) or merged_into_id = ${id}::uuid)
    order by id
    for no key update`;
  const [first, second] = id < intoId ? [id, intoId] : [intoId, id];
  const one = await lockConversation(tx, { workspaceId, id: first });
  const other = await lockConversation(tx, { workspaceId, id: second });
  // Refused when both are there: a missing one is reported first, whichever of them has the smaller id.
  for (const conversation of [one, other]) refuseMerged(conversation);
  return one.id === id ? [one, other] : [other, one];
}
