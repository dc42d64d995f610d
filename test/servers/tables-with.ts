import type { Pool } from 'pg';
import { PLATFORM } from '#test/servers/settings.ts';

/** What must be in no table: a code or token as it is issued (spec.md §5), a visitor's, or the client secret. */
const SECRET = `kz[acrv]_[0-9A-Za-z]{43}|${PLATFORM.clientSecret}`;

/** One of these is in each text that `SECRET` matches: they are looked for first, which takes a tenth as long. */
const SECRET_PARTS = ['kz', PLATFORM.clientSecret];

/**
 * The tables in which a row, written out as text, matches a pattern: every column of every table of every schema, in
 * two round trips. Bytes are written as hexadecimal digits.
 * @param parts texts of which every match contains one
 */
export async function tablesWith(pool: Pool, pattern: string, parts: string[] = ['']): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    // Most tables are empty, and to plan a search of each takes longer than to search the others.
    `select format('%s.%I', relnamespace::regnamespace, relname) as name from pg_class
     where relkind = 'r' and relpersistence <> 't' and pg_relation_size(oid) > 0
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
  );
  const searches = tables.map(
    ({ name }) => `select '${name}' as name where exists (
      select from (select t::text as row from ${name} t offset 0) written where row like any ($2) and row ~ $1
    )`,
  );
  const { rows } = await pool.query<{ name: string }>(searches.join(' union all '), [
    pattern,
    parts.map((part) => `%${part}%`),
  ]);
  return rows.map(({ name }) => name);
}

/** @throws when a secret is in a table: whatever a test did, none may */
export async function refuseSecretsAtRest(pool: Pool): Promise<void> {
  const found = await tablesWith(pool, SECRET, SECRET_PARTS);
  if (found.length > 0) throw new Error(`A code, a token or the client secret is in ${found.join(', ')}.`);
}
