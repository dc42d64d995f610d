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
 * Returns the tags that were created in advance, and those of a workspace's conversations that are neither spam nor deleted, in
 * alphabetical order, by default at most 500. Other tags are in one of their spellings.
 * @param only.prefix start of the tags, in any case
 */
export async function listTags(
  db: SqlDb,
  workspaceId: string,
  { prefix = '', limit = TAGS_READ_MAX }: { prefix?: string; limit?: number } = {},
): Promise<string[]> {
  const tags = await listKnownTags(db, { workspaceId, prefix, limit });
  return tags.map(({ name }) => name).sort(COLLATOR.compare);
}

/** A tag as the settings list it. `tint`: see `Tag.tint` in prisma/schema.prisma. */
export type KnownTag = { key: string; name: string; tint: number | null };

/**
 * Returns the tags of `listTags` in the order of their keys.
 * @param page.after key of a tag; undefined starts at the first
 */
export async function listKnownTags(
  db: SqlDb,
  page: { workspaceId: string; prefix?: string; after?: string | undefined; limit: number },
): Promise<KnownTag[]> {
  const { workspaceId, prefix = '', after, limit } = page;
  const start = tagKey(prefix);
  const isAfter = after === undefined ? Prisma.empty : Prisma.sql`and t.key > ${after}`;
  const first = Prisma.sql`t.key >= ${start} and t.key < ${start + LAST_CHARACTER} ${isAfter}`;
  const [used, created] = await Promise.all([
    scanTags(db, { workspaceId, first, isInUse: IS_IN_USE, limit }),
    db.$queryRaw<KnownTag[]>`
      select t.key, t.name, t.tint from tags t where t.workspace_id = ${workspaceId}::uuid and ${first}
      order by t.key limit ${limit}::int`,
  ]);
  const tags = new Map<string, KnownTag>(used.map((tag) => [tag.key, { ...tag, tint: null }]));
  for (const tag of created) tags.set(tag.key, tag);
  return [...tags.values()].sort((one, other) => compareBytes(one.key, other.key)).slice(0, limit);
}

/** Returns the colours of the tags that have one, by their keys. */
export async function findTints(db: SqlDb, workspaceId: string): Promise<Record<string, number>> {
  const tinted = await db.$queryRaw<{ key: string; tint: number }[]>`
    select key, tint from tags where workspace_id = ${workspaceId}::uuid and tint is not null`;
  return Object.fromEntries(tinted.map(({ key, tint }) => [key, tint]));
}

/** Compares as the database does with collation "C". */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
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
