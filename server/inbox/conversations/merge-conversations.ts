import { validate as isUuid } from 'uuid';
import type { Db, Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeOf, joinChanges, setStatus } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  lockConversation,
  refuseReadOnly,
} from '#server/inbox/conversations/lock-conversation.ts';
import { notifyAuthors } from '#server/inbox/conversations/notify-authors.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { IS_NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import { mergeReads } from '#server/inbox/conversations/unread.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Maximum number of conversations that are merged into one: the thread reads all of them. */
export const MERGED_MAX = 100;

/**
 * Merges a conversation into another one of the workspace. The merged conversation becomes read-only, searches and
 * samples leave it out, its SLA clocks stop, and its contact's messages go to the other conversation. Conversations that
 * were merged into it earlier follow. Emits `conversation.merged` for programs. An open conversation reopens a pending or
 * solved target, which emits `conversation.status_changed` (docs/rulings.md 3.43). All rows are locked in the order of their ids, to avoid deadlocks.
 * @throws Refusal when one of the two does not exist or was merged, when both are the same, or for a problem of
 *   `findMergeProblems`
 */
export async function mergeConversations(
  tx: Tx,
  pair: { workspaceId: string; id: string; intoId: string; actor: Actor },
): Promise<void> {
  const { workspaceId, actor } = pair;
  const [id, intoId] = [pair.id.toLowerCase(), pair.intoId.toLowerCase()];
  if (id === intoId) throw invalid({ conversation: ['A conversation cannot be merged into itself.'] });
  const [from, into] = await lockBoth(tx, { workspaceId, id, intoId, actor });
  if (from.isTest !== into.isTest) {
    const message =
      'A conversation from testing the AI agent can only be merged with another test conversation.';
    throw invalid({ conversation: [message] });
  }
  const { [intoId]: problem } = await findMergeProblems(tx, { workspaceId, id, intoIds: [intoId] });
  if (problem) throw invalid({ conversation: [problem] });
  const merged = await tx.conversation.count({
    where: { workspaceId, mergedIntoId: { in: [id, intoId] } },
  });
  if (merged >= MERGED_MAX) throw invalid({ conversation: [TOO_MANY] });
  const now = new Date();
  const followed = await tx.conversation.updateManyAndReturn({
    where: { workspaceId, mergedIntoId: id },
    data: { mergedIntoId: intoId },
    select: { id: true },
  });
  const followedIds = followed.map((each) => each.id);
  await tx.sample.deleteMany({ where: { conversationId: id } });
  await persistChange(tx, from, {
    actor,
    now,
    change: changeOf({
      columns: { mergedIntoId: intoId },
      entries: [{ kind: 'merged', data: { intoId, followedIds } }],
      clocks: ['stop'],
    }),
  });
  await moveUnsentReplies(tx, { workspaceId, id, intoId, actor, now });
  await moveDraft(tx, { id, intoId });
  const isOpen = from.record.status === 'open';
  if (isOpen) {
    await mergeReads(tx, { id, intoId });
    await carryWaiting(tx, { id, intoId });
  }
  const change = joinChanges([
    changeOf({
      entries: [{ kind: 'merged_here', data: { fromId: id } }],
      events: [{ key: 'conversation.merged', details: { merged_conversation_id: id } }],
    }),
    isOpen ? setStatus(into.record, { status: 'open', now }) : changeOf(),
  ]);
  await persistChange(tx, into, { actor, now, change });
}

const MERGED =
  'Its conversation was merged into this one, whose replies may go to someone else. Edit it to send it here.';

/**
 * Moves the replies that were not sent to the target, where teammates see them, as failed ones: they were written to the contact
 * of the merged conversation. Their recipients stay behind, as those of a draft. Their authors are notified. Skips a reply that a job is sending now, which the job moves.
 */
export async function moveUnsentReplies(
  tx: Tx,
  merge: { workspaceId: string; id: string; intoId: string; actor: Actor; now: Date },
): Promise<void> {
  const { workspaceId, id, intoId, actor, now } = merge;
  const moved = await tx.$queryRaw<{ authorId: string }[]>`
    with unsent as (
      select id from pending_replies where conversation_id = ${id}::uuid order by id for update skip locked
    )
    update pending_replies p set conversation_id = ${intoId}::uuid, sends_later = false, problem = ${MERGED},
      mail_to = '{}', cc = '{}', bcc = '{}'
    from unsent u where p.id = u.id
    returning p.author_id as "authorId"`;
  if (moved.length === 0) return;
  // The triggers of the update change the target only.
  await tx.$executeRaw`
    update conversations set send_later_at = null, has_failed_reply = find_failed_reply(id) where id = ${id}::uuid`;
  await notifyAuthors(tx, { workspaceId, conversationId: intoId, actor, replies: moved, why: MERGED, now });
}

/**
 * Moves the draft of a merged conversation to the target, if that has none. Its recipients stay behind: people of one conversation
 * must not read the other. Otherwise teammates can still read it in the merged conversation.
 */
async function moveDraft(tx: Tx, { id, intoId }: { id: string; intoId: string }): Promise<void> {
  const [replaced] = await tx.$queryRaw<{ version: number }[]>`
    delete from reply_drafts where conversation_id = ${intoId}::uuid and is_empty
      and exists (select from reply_drafts where conversation_id = ${id}::uuid and not is_empty)
    returning version`;
  await tx.$executeRaw`
    update reply_drafts set conversation_id = ${intoId}::uuid, version = greatest(version, ${replaced?.version ?? 0}::int) + 1,
      answers = null, changes_copies = false, cc = '{}', bcc = '{}'
    where conversation_id = ${id}::uuid and not is_empty
      and not exists (select from reply_drafts where conversation_id = ${intoId}::uuid)`;
}

/** Lists the target as waiting since the contact of either conversation has been waiting, and by the newest message. */
async function carryWaiting(tx: Tx, { id, intoId }: { id: string; intoId: string }): Promise<void> {
  // Nobody waits in a solved conversation, even if it was solved without a reply.
  await tx.$executeRaw`
    update conversations t set
      waiting_since = least(case when t.status <> 'solved' then t.waiting_since end, s.waiting_since),
      last_inbound_at = greatest(t.last_inbound_at, s.last_inbound_at),
      last_message_at = greatest(t.last_message_at, s.last_message_at)
    from conversations s where t.id = ${intoId}::uuid and s.id = ${id}::uuid`;
}

/** Waits for other merges and their undoing in the workspace: they could change which conversations must follow. */
export async function lockMerges(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`merge ${workspaceId}`}, 0))`;
}

async function lockBoth(
  tx: Tx,
  { workspaceId, id, intoId, actor }: { workspaceId: string; id: string; intoId: string; actor: Actor },
): Promise<[LockedConversation, LockedConversation]> {
  if (!isUuid(id) || !isUuid(intoId)) throw notFound('The conversation');
  await lockMerges(tx, workspaceId);
  await tx.$executeRaw`
    select from conversations
    where workspace_id = ${workspaceId}::uuid
      and (id in (${id}::uuid, ${intoId}::uuid) or merged_into_id = ${id}::uuid)
    order by id
    for no key update`;
  const [first, second] = id < intoId ? [id, intoId] : [intoId, id];
  const one = await lockConversation(tx, { workspaceId, id: first, actor });
  const other = await lockConversation(tx, { workspaceId, id: second, actor });
  // Only after both are found: a missing conversation is reported first, whatever the order of the ids.
  for (const conversation of [one, other]) refuseReadOnly(conversation, actor);
  return one.id === id ? [one, other] : [other, one];
}

const TOO_MANY = `At most ${MERGED_MAX} conversations can be merged into one.`;
const INTO_CLOSED = 'That conversation is closed and cannot be reopened. Merge it into this one instead.';
const INTO_CLAIMED =
  'The visitor in that web chat gave an unverified address, and would see messages meant for someone else. Open that conversation and merge it into this one.';
const BETWEEN_CLAIMED =
  'The visitors in both web chats gave unverified addresses, and one would see messages meant for the other. Reply to each in their own conversation.';

/**
 * `isClaimedChat`: a web chat whose visitor gave an unverified address. `visitor`: tag of the visitor who started the
 * chat, from the external id of its first message.
 */
type Side = { id: string; isClosed: boolean; isClaimedChat: boolean; visitor: string | null };

/**
 * Returns why a conversation cannot be merged into others, as sentences by the id of the other. Possible targets,
 * deleted conversations and unknown ids are left out. One round trip.
 *
 * A closed conversation accepts only closed ones: nobody would see that the contact of another one is waiting.
 *
 * A web chat whose visitor gave an unverified address accepts only chats of the same visitor. After a merge the team
 * replies to both contacts in the target, and the visitor of that chat would read all replies (docs/rulings.md 3.13).
 */
export async function findMergeProblems(
  db: Db,
  { workspaceId, id, intoIds }: { workspaceId: string; id: string; intoIds: string[] },
): Promise<Record<string, string>> {
  const sides = await readSides(db, workspaceId, [id, ...intoIds].filter(isUuid));
  const from = sides.find((side) => side.id === id.toLowerCase());
  if (!from) return {};
  const problems: Record<string, string> = {};
  for (const into of sides) {
    if (into === from) continue;
    if (into.isClosed && !from.isClosed) problems[into.id] = INTO_CLOSED;
    if (!into.isClaimedChat) continue;
    if (into.visitor !== null && into.visitor === from.visitor) continue;
    problems[into.id] = from.isClaimedChat ? BETWEEN_CLAIMED : INTO_CLAIMED;
  }
  return problems;
}

/** Reads the visitor from a chat's first message: after a merge, later messages may be from another visitor. */
function readSides(db: Db, workspaceId: string, ids: string[]): Promise<Side[]> {
  return db.$queryRaw<Side[]>(Prisma.sql`
    select c.id, c.status = 'closed' as "isClosed", c.channel = 'webchat' and (c.contact_claimed or c.linked_from_id is not null) as "isClaimedChat",
      begun.visitor
    from conversations c
    left join lateral (
      select split_part(m.external_id, ':', 2) as visitor from messages m
      where m.conversation_id = c.id and m.direction = 'inbound' and c.channel = 'webchat'
      order by m.created_at, m.id limit 1
    ) begun on true
    where c.workspace_id = ${workspaceId}::uuid and c.id = any (${ids}::uuid[]) and ${IS_NOT_DELETED}`);
}
