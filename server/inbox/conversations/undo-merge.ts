import { validate as isUuid } from 'uuid';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Removal } from '#server/generated/prisma/enums.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { lockMerges } from '#server/inbox/conversations/merge-conversations.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { CLOCKS_ON_RETURN } from '#server/inbox/conversations/removal.ts';
import { restoreSamples } from '#server/inbox/conversations/restore-samples.ts';
import { timelineContent } from '#server/inbox/conversations/timeline.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Days for which a merge can be undone. */
export const UNDO_MERGE_DAYS = 30;

/**
 * Undoes a merge (docs/rulings.md 3.43). The conversation returns to the inbox with the status that it had, its own messages
 * and those that had been merged into it before. Messages that were written after the merge stay in the other one, whose
 * status does not change. Emits no event. All rows are locked in the order of their ids.
 * @throws Refusal when the conversation does not exist or is not merged, more than `UNDO_MERGE_DAYS` days later, or when the
 *   other one was merged itself or removed since
 */
export async function undoMerge(which: { workspaceId: string; id: string; actor: Actor }): Promise<void> {
  const { workspaceId, actor } = which;
  if (!isUuid(which.id)) throw notFound('The conversation');
  const id = which.id.toLowerCase();
  await inTransaction(async (tx) => {
    await lockMerges(tx, workspaceId);
    const { intoId, followedIds } = await findUndoable(tx, { workspaceId, id });
    await tx.$executeRaw`
      select from conversations
      where workspace_id = ${workspaceId}::uuid and id = any (${[id, intoId, ...followedIds]}::uuid[])
      order by id
      for no key update`;
    const from = await lockConversation(tx, { workspaceId, id });
    const into = await lockConversation(tx, { workspaceId, id: intoId });
    if (into.removal !== null) throw invalid({ conversation: [REMOVED[into.removal]] });
    const now = new Date();
    await tx.conversation.updateMany({
      where: { workspaceId, id: { in: followedIds }, mergedIntoId: intoId },
      data: { mergedIntoId: id },
    });
    const change = changeOf({
      columns: { mergedIntoId: null },
      entries: [{ kind: 'merge_undone', data: { intoId } }],
      clocks: CLOCKS_ON_RETURN[from.record.status],
    });
    await persistChange(tx, from, { actor, now, change });
    const there = changeOf({ entries: [{ kind: 'merge_undone_here', data: { fromId: id } }] });
    await persistChange(tx, into, { actor, now, change: there });
    await restoreSamples(tx, Prisma.sql`c.id = ${id}::uuid`);
  });
}

const NOT_MERGED = 'This conversation is not merged, or the merge was already undone.';
const MERGED_ON =
  'The conversation that this one was merged into was merged into another one itself. Undo that merge first.';
const TOO_LATE = `Too late to undo. A merge can be undone for ${UNDO_MERGE_DAYS} days.`;
const TOO_OLD = 'This merge is from before merges could be undone.';

const REMOVED: Record<Removal, string> = {
  spam: 'The conversation that this one was merged into is marked as spam. Move it back to the inbox first.',
  deleted: 'The conversation that this one was merged into was deleted. Restore it first.',
};

/** Condition on `timeline_entries t`: the merge can still be undone. */
export const IS_UNDOABLE = Prisma.raw(`t.created_at > now() - interval '${UNDO_MERGE_DAYS} days'`);

/** Reads the newest merge of a conversation. The caller has locked merges, so that it stays the newest. */
async function findUndoable(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ intoId: string; followedIds: string[] }> {
  const [found] = await tx.$queryRaw<
    { mergedIntoId: string | null; data: unknown; isInTime: boolean | null }[]
  >`
    select c.merged_into_id as "mergedIntoId", merge.data, merge.is_in_time as "isInTime"
    from conversations c left join lateral (
      select t.data, ${IS_UNDOABLE} as is_in_time from timeline_entries t
      where t.conversation_id = c.id and t.kind = 'merged'
      order by t.created_at desc, t.id desc limit 1) merge on true
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid`;
  if (!found) throw notFound('The conversation');
  if (found.mergedIntoId === null) throw invalid({ conversation: [NOT_MERGED] });
  if (found.isInTime === false) throw invalid({ conversation: [TOO_LATE] });
  const merge = timelineContent.safeParse({ kind: 'merged', data: found.data }).data;
  if (merge?.kind !== 'merged' || !merge.data.followedIds) throw invalid({ conversation: [TOO_OLD] });
  const { intoId, followedIds } = merge.data;
  if (intoId !== found.mergedIntoId) throw invalid({ conversation: [MERGED_ON] });
  return { intoId, followedIds };
}
