import { validate as isUuid } from 'uuid';
import { tagKey } from '#server/contract/tag-key.ts';
import type { Db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { IS_NOT_DELETED, NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import { calledAs, otherConversationSelect } from '#server/screens/inbox/name-conversations.ts';
import type { MergeChoice } from '#server/screens/inbox/views.ts';

/** Maximum number of conversations to choose from. */
const CHOICES_MAX = 20;

/**
 * Returns the other conversations of the same contact as merge targets, newest first, without merged ones and
 * tests. Empty when there is no such conversation or it has no contact. Two round trips.
 */
export async function listMergeChoices(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<MergeChoice[]> {
  if (!isUuid(id)) return [];
  const where = { workspaceId_id: { workspaceId, id }, ...NOT_DELETED };
  const conversation = await db.conversation.findUnique({ where, select: { contactId: true } });
  if (!conversation?.contactId) return [];
  const found = await db.conversation.findMany({
    where: {
      workspaceId,
      contactId: conversation.contactId,
      id: { not: id },
      mergedIntoId: null,
      isTest: false,
      removal: null,
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
  return found.map(({ contact, contactClaimed, ...row }) => ({
    ...row,
    contactName: calledAs(contact),
    contactClaimed: contactClaimed && !contact?.email,
  }));
}

/** Maximum number of different tags to read. */
const TAGS_READ_MAX = 500;

/** The last code point. Tags with a prefix are before the prefix with it, because keys compare by bytes. */
const LAST_CHARACTER = '\u{10ffff}';
/** Sorts independently of case and of the database's collation. */
const COLLATOR = new Intl.Collator('en');

/** SQL for whether the tag `t` is at a conversation that is neither spam nor deleted. */
const IS_IN_USE = Prisma.sql`exists (
  select from conversations c where c.id = t.conversation_id and c.removal is null and ${IS_NOT_DELETED})`;

/**
 * Returns the tags of a workspace's conversations that are neither spam nor deleted, in alphabetical order, in one of their spellings, by default at most 500. Skips
 * along the index from tag to tag, so that the cost depends on the number of tags and not on the number of
 * conversations.
 * @param only.prefix start of the tags, in any case
 */
export async function listTags(
  db: SqlDb,
  workspaceId: string,
  { prefix = '', limit = TAGS_READ_MAX }: { prefix?: string; limit?: number } = {},
): Promise<string[]> {
  const start = tagKey(prefix);
  const end = `${start}${LAST_CHARACTER}`;
  const tags = await db.$queryRaw<{ name: string }[]>`
    with recursive scanned as (
      (select t.key, t.name, 1 as place from conversation_tags t
       where t.workspace_id = ${workspaceId}::uuid and t.key >= ${start} and t.key < ${end} and ${IS_IN_USE}
       order by t.key limit 1)
      union all
      select next.key, next.name, scanned.place + 1
      from scanned
      cross join lateral (
        select t.key, t.name from conversation_tags t
        where t.workspace_id = ${workspaceId}::uuid and t.key > scanned.key and t.key < ${end} and ${IS_IN_USE}
        order by t.key limit 1
      ) as next
      where scanned.place < ${limit}::int
    )
    select name from scanned`;
  return tags.map(({ name }) => name).sort(COLLATOR.compare);
}
