import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/prisma.ts';
import { calledAs, otherConversationSelect } from '#server/screens/inbox/name-conversations.ts';
import type { MergeChoice } from '#server/screens/inbox/views.ts';

/** How many conversations of the same contact are offered. */
const CHOICES_MAX = 20;

/**
 * The other conversations of a conversation's contact, newest first: those that it may belong to. Merged ones and
 * tests are left out; none when there is no such conversation, or it has no contact. Two round trips.
 */
export async function listMergeChoices(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<MergeChoice[]> {
  if (!isUuid(id)) return [];
  const where = { workspaceId_id: { workspaceId, id } };
  const conversation = await db.conversation.findUnique({ where, select: { contactId: true } });
  if (!conversation?.contactId) return [];
  const found = await db.conversation.findMany({
    where: {
      workspaceId,
      contactId: conversation.contactId,
      id: { not: id },
      mergedIntoId: null,
      isTest: false,
    },
    select: {
      ...otherConversationSelect,
      status: true,
      channel: true,
      contactClaimed: true,
      lastMessageAt: true,
    },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    take: CHOICES_MAX,
    relationLoadStrategy: 'join',
  });
  return found.map(({ contact, ...row }) => ({ ...row, contactName: calledAs(contact) }));
}

/** So many different tags of a workspace are looked at. */
const TAGS_READ_MAX = 500;

/**
 * The tags in use in a workspace, in alphabetical order, each as it was spelled first somewhere; of more than 500 the
 * first 500. Walks the index from one tag to the next, so that it costs by how many tags there are and not by how many
 * conversations have them.
 */
export async function listTags(db: Db, workspaceId: string): Promise<string[]> {
  const tags = await db.$queryRaw<{ name: string }[]>`
    with recursive walked as (
      (select key, name, 1 as place from conversation_tags where workspace_id = ${workspaceId}::uuid order by key limit 1)
      union all
      select next.key, next.name, walked.place + 1
      from walked
      cross join lateral (
        select t.key, t.name from conversation_tags t
        where t.workspace_id = ${workspaceId}::uuid and t.key > walked.key
        order by t.key limit 1
      ) as next
      where walked.place < ${TAGS_READ_MAX}
    )
    select name from walked`;
  return tags.map(({ name }) => name);
}
