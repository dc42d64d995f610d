import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Returns a `tsquery` of the words from `searchWords`. PostgreSQL splits a word such as `1e07b` into "1e07" and "b", joined by
 * `<->`, which needs the positions that stored words do not have: such parts are joined by `&`.
 */
export function wordsQuery(words: string): Prisma.Sql {
  return orNothing(Prisma.sql`replace(to_tsquery('simple', ${words})::text, '<->', '&')`);
}

/**
 * Returns a query that finds nothing if it has no word. In some locales PostgreSQL sees none in "½". Joined with another query, such a
 * query would leave that one as it is.
 */
export function orNothing(query: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`nullif(${query}::text, '')::tsquery`;
}
