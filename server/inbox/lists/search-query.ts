import { mergedAddressOwner } from '#server/contacts/contact-with-email.ts';
import { parseEmail } from '#server/contract/parse-email.ts';
import { type SqlDb, sql, unprepared } from '#server/core/database/sql.ts';
import { orNothing } from '#server/core/database/words-query.ts';
import { stemmedSearch } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { InboxFilter } from '#server/inbox/lists/inbox-filter.ts';

/** Input of a search in a workspace. `language`: language of its messages; without it, words are not reduced to stems. */
export type Search = Pick<InboxFilter, 'workspaceId' | 'search' | 'language'>;

/**
 * Returns the search of a filter as a tsquery for one workspace, or null. Finds each word or its stem. PostgreSQL computes the
 * query while it plans the statement.
 */
export function searchQuery({ workspaceId, search, language = 'simple' }: Search): Prisma.Sql | null {
  const sought = search === undefined ? null : stemmedSearch(search);
  if (sought === null) return null;
  const { words, isPrefix, digits } = sought;
  const stemmed = Prisma.sql`stemmed_query(${language}::text, ${words}::text[], ${isPrefix}::boolean)`;
  const found = digits === null ? stemmed : Prisma.sql`(${stemmed} || ${`'${digits}':*`}::tsquery)`;
  return Prisma.sql`(${`'w:${workspaceId}'`}::tsquery && ${orNothing(found)})`;
}

/**
 * Returns SQL of the id of the contact that has the searched address by a merge, or null for another text. The words of contacts have
 * their first address only.
 */
export function mergedOwner({ workspaceId, search = '' }: Search): Prisma.Sql | null {
  const email = parseEmail(search.trim());
  return email === undefined ? null : mergedAddressOwner({ workspaceId, email });
}

/**
 * Returns where the statements of a filter run. Those of a search are planned each time: a prepared plan would compute the query for
 * each row.
 */
export function plannedFor({ search }: Pick<InboxFilter, 'search'>, db: SqlDb = sql()): SqlDb {
  return search === undefined ? db : unprepared();
}

/** Returns SQL for the words of a text that a search finds by their stems, or null. */
export function stemmedWords({ search, language = 'simple' }: Search, text: Prisma.Sql): Prisma.Sql | null {
  const sought = search === undefined || language === 'simple' ? null : stemmedSearch(search);
  return sought && Prisma.sql`words_of_stem(${language}::text, ${sought.words}::text[], ${text})`;
}
