import type { SqlDb } from '#server/core/database/sql.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import { stemmedSearch } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** A saved reply that a teammate can see. `ownerId`: null for shared ones. */
export type FoundSavedReply = {
  id: string;
  ownerId: string | null;
  createdById: string | null;
  createdByName: string;
  name: string;
  folder: string;
  content: string;
  usedCount: number;
  lastUsedAt: Date | null;
  updatedAt: Date;
};

const QUERY_MAX_LENGTH = 100;

/**
 * Returns the saved replies that a teammate can see and that match a query. Matches by the start of the name come first,
 * then by its words, by all words in name, folder and text, by other forms of these words as the search of the inbox finds
 * them ("refunds" finds "refunded"), and by letters of the name in the same order ("rfnd" finds "Refund"). Reads at most
 * the 600 rows that a teammate can see.
 * @param language whose stems the search also finds
 * @param order of equally good matches: `use`: the most used first; `folder`: by folder and name
 */
export function searchSavedReplies(
  db: SqlDb,
  search: {
    workspaceId: string;
    userId: string;
    query: string;
    language: SearchLanguage;
    order: 'use' | 'folder';
    limit: number;
  },
): Promise<FoundSavedReply[]> {
  const { workspaceId, userId, language, order, limit } = search;
  const words = wordsOf(search.query);
  const phrase = words.join(' ');
  const letters = [...words.join('')].map((letter) => letter.replace(/[\\%_]/, '\\$&'));
  const stemmed = stemmedSearch(search.query.slice(0, QUERY_MAX_LENGTH));
  const hasStems = stemmed
    ? Prisma.sql`search @@ stemmed_query(${language}::text, ${stemmed.words}::text[], ${stemmed.isPrefix}::boolean)`
    : Prisma.sql`false`;
  const byOrder =
    order === 'use'
      ? Prisma.sql`used_count desc, lower(name), id`
      : Prisma.sql`folder = '', lower(folder), folder, lower(name), id`;
  return db.$queryRaw<FoundSavedReply[]>(Prisma.sql`
    select id, owner_id as "ownerId", created_by_id as "createdById", created_by_name as "createdByName", name, folder,
      content, used_count as "usedCount", last_used_at as "lastUsedAt", updated_at as "updatedAt"
    from (
      select *, case
        when ${phrase} = '' or starts_with(lower(name), ${phrase}) then 0
        when strpos(' ' || lower(name), ${` ${phrase}`}) > 0 then 1
        when not exists (select 1 from unnest(${words}::text[]) word where strpos(lower(name || ' ' || folder), word) = 0) then 2
        when not exists (
          select 1 from unnest(${words}::text[]) word
          where strpos(lower(name || ' ' || folder || ' ' || content), word) = 0) then 3
        when ${hasStems} then 4
        when lower(name) like ${`%${letters.join('%')}%`} then 5
      end as rank
      from saved_replies
      where workspace_id = ${workspaceId}::uuid and (owner_id is null or owner_id = ${userId}::uuid)
    ) matched
    where rank is not null
    order by ${order === 'use' ? Prisma.sql`rank, ${byOrder}` : byOrder} limit ${limit}::int`);
}

/** In a composer, a query is one word: a hyphen or an underscore separates words there. */
function wordsOf(query: string): string[] {
  return query
    .slice(0, QUERY_MAX_LENGTH)
    .toLowerCase()
    .replaceAll('\0', '')
    .split(/[\s_-]+/u)
    .filter((word) => word !== '');
}
