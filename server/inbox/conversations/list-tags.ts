import { tagKey } from '#server/contract/tag-key.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { IS_NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';

/** Maximum number of different tags to read. */
const TAGS_READ_MAX = 500;

/** The last code point. Tags with a prefix are before the prefix with it, because keys compare by bytes. */
const LAST_CHARACTER = '\u{10ffff}';
/** Sorts independently of case and of the database's collation. */
const COLLATOR = new Intl.Collator('en');

/** SQL for whether the tag `t` is at a conversation that is neither spam nor deleted. */
const IS_IN_USE = Prisma.sql`exists (
  select from conversations c where c.id = t.conversation_id and c.removal is null and ${IS_NOT_DELETED})`;
/** The same without conversations from testing the AI agent, which programs do not see. */
const IS_IN_REAL_USE = Prisma.sql`exists (
  select from conversations c where c.id = t.conversation_id and c.removal is null and ${IS_NOT_DELETED}
    and not c.is_test)`;

/**
 * Returns the tags of a workspace's conversations that are neither spam nor deleted, in alphabetical order, in one of their
 * spellings, by default at most 500.
 * @param only.prefix start of the tags, in any case
 */
export async function listTags(
  db: SqlDb,
  workspaceId: string,
  { prefix = '', limit = TAGS_READ_MAX }: { prefix?: string; limit?: number } = {},
): Promise<string[]> {
  const start = tagKey(prefix);
  const first = Prisma.sql`t.key >= ${start} and t.key < ${start + LAST_CHARACTER}`;
  const tags = await scanTags(db, { workspaceId, first, isInUse: IS_IN_USE, limit });
  return tags.map(({ name }) => name).sort(COLLATOR.compare);
}

/**
 * Returns tags after a key, in the order of their keys, for programs.
 * @param page.after key of a tag; undefined starts at the first
 */
export function listTagsAfter(
  db: SqlDb,
  { workspaceId, after, limit }: { workspaceId: string; after: string | undefined; limit: number },
): Promise<{ key: string; name: string }[]> {
  const first = after === undefined ? Prisma.sql`true` : Prisma.sql`t.key > ${after}`;
  return scanTags(db, { workspaceId, first, isInUse: IS_IN_REAL_USE, limit });
}

/** Skips along the index from tag to tag, so that the cost depends on the number of tags and not on that of conversations. */
function scanTags(
  db: SqlDb,
  {
    workspaceId,
    first,
    isInUse,
    limit,
  }: { workspaceId: string; first: Prisma.Sql; isInUse: Prisma.Sql; limit: number },
): Promise<{ key: string; name: string }[]> {
  return db.$queryRaw<{ key: string; name: string }[]>`
    with recursive scanned as (
      (select t.key, t.name, 1 as place from conversation_tags t
       where t.workspace_id = ${workspaceId}::uuid and ${first} and ${isInUse}
       order by t.key limit 1)
      union all
      select next.key, next.name, scanned.place + 1
      from scanned
      cross join lateral (
        select t.key, t.name from conversation_tags t
        where t.workspace_id = ${workspaceId}::uuid and t.key > scanned.key and ${first} and ${isInUse}
        order by t.key limit 1
      ) as next
      where scanned.place < ${limit}::int
    )
    select key, name from scanned order by place`;
}
