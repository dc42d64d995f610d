import { expect } from 'vitest';
import { inTransaction } from '#server/core/database/prisma.ts';
import { wordsQuery } from '#server/core/database/words-query.ts';
import { searchQuery } from '#server/inbox/lists/search-query.ts';
import { test } from '#test/fixtures/service-test.ts';

// Depends on the locale of the database: with those of the C library, PostgreSQL sees no word in "½" or "²". In the tests' locale it
// sees one in every letter and digit.

test('a search text in which PostgreSQL sees no word finds nothing, instead of everything in the workspace', async ({
  connection: { workspaceId },
}) => {
  const found = await inTransaction(async (tx) => {
    await tx.$executeRaw`create schema other_locale`;
    await tx.$executeRaw`
      create function other_locale.stemmed_query(text, text[], boolean) returns tsquery language sql
      return to_tsquery('simple', '''-''')`;
    await tx.$executeRaw`set local search_path = other_locale, public`;
    const rows = await tx.$queryRaw<unknown[]>`
      select ${searchQuery({ workspaceId, search: '½' })}::text as inbox, ${wordsQuery("'-'")}::text as contacts`;
    await tx.$executeRaw`drop schema other_locale cascade`;
    return rows;
  });
  expect(found).toEqual([{ inbox: null, contacts: null }]);
});
