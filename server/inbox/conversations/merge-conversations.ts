import { validate as isUuid } from 'uuid';
import { type Db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  lockConversation,
  refuseReadOnly,
} from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { IS_NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Merges a conversation into another one of the workspace. The merged conversation becomes read-only, searches and
 * samples leave it out, its SLA clocks stop, and its contact's messages go to the other conversation. Conversations that
 * were merged into it earlier follow. Emits no event. All rows are locked in the order of their ids, to avoid deadlocks.
 * @throws Refusal when one of the two does not exist or was merged, when both are the same, or when somebody would read
 *   messages meant for someone else (`findMergeProblems`)
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
    if (into.record.channel === 'webchat') {
      const { [intoId]: problem } = await findMergeProblems(tx, { workspaceId, id, intoIds: [intoId] });
      if (problem) throw invalid({ conversation: [problem] });
    }
    const now = new Date();
    await tx.conversation.updateMany({
      where: { workspaceId, mergedIntoId: id },
      data: { mergedIntoId: intoId },
    });
    await tx.sample.deleteMany({ where: { conversationId: id } });
    await persistChange(tx, from, {
      actor,
      now,
      change: changeOf({
        columns: { mergedIntoId: intoId },
        entries: [{ kind: 'merged', data: { intoId } }],
        clocks: ['stop'],
      }),
    });
    const entry = { kind: 'merged_here' as const, data: { fromId: id } };
    await persistChange(tx, into, { actor, now, change: changeOf({ entries: [entry] }) });
  });
}

async function lockBoth(
  tx: Tx,
  { workspaceId, id, intoId }: { workspaceId: string; id: string; intoId: string },
): Promise<[LockedConversation, LockedConversation]> {
  if (!isUuid(id) || !isUuid(intoId)) throw notFound('The conversation');
  // One merge at a time in a workspace: a parallel merge could change which conversations must follow.
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
  // Only after both are found: a missing conversation is reported first, whatever the order of the ids.
  for (const conversation of [one, other]) refuseReadOnly(conversation);
  return one.id === id ? [one, other] : [other, one];
}

const INTO_CLAIMED =
  'The visitor in that web chat gave an unverified address, and would see messages meant for someone else. Open that conversation and merge it into this one.';
const BETWEEN_CLAIMED =
  'The visitors in both web chats gave unverified addresses, and one would see messages meant for the other. Reply to each in their own conversation.';

/**
 * `isClaimedChat`: a web chat whose visitor gave an unverified address. `visitor`: tag of the visitor who started the
 * chat, from the external id of its first message.
 */
type Side = { id: string; isClaimedChat: boolean; visitor: string | null };

/**
 * Returns why a conversation cannot be merged into others, as sentences by the id of the other. Possible targets,
 * deleted conversations and unknown ids are left out. One round trip.
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
    if (!into.isClaimedChat || into === from) continue;
    if (into.visitor !== null && into.visitor === from.visitor) continue;
    problems[into.id] = from.isClaimedChat ? BETWEEN_CLAIMED : INTO_CLAIMED;
  }
  return problems;
}

/** Reads the visitor from a chat's first message: after a merge, later messages may be from another visitor. */
function readSides(db: Db, workspaceId: string, ids: string[]): Promise<Side[]> {
  return db.$queryRaw<Side[]>(Prisma.sql`
    select c.id, c.channel = 'webchat' and (c.contact_claimed or c.linked_from_id is not null) as "isClaimedChat",
      begun.visitor
    from conversations c
    left join lateral (
      select split_part(m.external_id, ':', 2) as visitor from messages m
      where m.conversation_id = c.id and m.direction = 'inbound' and c.channel = 'webchat'
      order by m.created_at, m.id limit 1
    ) begun on true
    where c.workspace_id = ${workspaceId}::uuid and c.id = any (${ids}::uuid[]) and ${IS_NOT_DELETED}`);
}
