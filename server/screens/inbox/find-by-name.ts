import { tagKey } from '#server/contract/tag-key.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { listTags } from '#server/inbox/conversations/list-tags.ts';
import type { FoundByName } from '#server/screens/inbox/views.ts';
import { WORKING_ROLES } from '#server/teammates/roles.ts';

/** Maximum number of results of each kind. */
const FOUND_MAX = 8;

/**
 * Returns the teammates and teams whose names contain a word of the query, those with the most words first, and the tags
 * that contain the query, those that start with it first. Without a query, returns the first of each kind by name.
 */
export async function findByName(
  db: SqlDb,
  { workspaceId, query }: { workspaceId: string; query: string },
): Promise<FoundByName> {
  const words = query
    .toLowerCase()
    .replaceAll('\0', '')
    .split(/\s+/u)
    .filter((word) => word !== '');
  const [[found], tags] = await Promise.all([
    db.$queryRaw<Omit<FoundByName, 'tags'>[]>(namesStatement(workspaceId, words)),
    findTags(db, { workspaceId, typed: query.replaceAll('\0', '').trim() }),
  ]);
  return { teammates: found?.teammates ?? [], teams: found?.teams ?? [], tags };
}

function namesStatement(workspaceId: string, words: string[]): Prisma.Sql {
  const best = (rows: Prisma.Sql) => Prisma.sql`
    (select coalesce(json_agg(best), '[]') from (
      select named.* from (${rows}) named
      cross join lateral (
        select count(*) as matches from unnest(${words}::text[]) word where strpos(lower(named.name), word) > 0
      ) counted
      where matches > 0 or ${words.length === 0}::boolean
      order by matches desc, lower(named.name), named.id limit ${FOUND_MAX}::int
    ) best)`;
  return Prisma.sql`select
    ${best(Prisma.sql`
      select u.id, u.name, m.role = any(${[...WORKING_ROLES]}::role[]) as "isAssignable"
      from members m join users u on u.id = m.user_id where m.workspace_id = ${workspaceId}::uuid`)} as teammates,
    ${best(Prisma.sql`
      select id, name from teams where workspace_id = ${workspaceId}::uuid and deleted_at is null`)} as teams`;
}

/** A tag that only contains the text is found among the first 500 tags. */
async function findTags(
  db: SqlDb,
  { workspaceId, typed }: { workspaceId: string; typed: string },
): Promise<string[]> {
  const key = tagKey(typed);
  const [byPrefix, first] = await Promise.all([
    listTags(db, workspaceId, { prefix: typed, limit: FOUND_MAX }),
    typed === '' ? [] : listTags(db, workspaceId),
  ]);
  const containing = first.filter((tag) => tagKey(tag).indexOf(key) > 0);
  return [...byPrefix, ...containing].slice(0, FOUND_MAX);
}
