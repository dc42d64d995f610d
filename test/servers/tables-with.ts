import type { Pool } from 'pg';
import { PLATFORM } from '#test/servers/settings.ts';

/**
 * Secrets that no table may contain: issued codes and tokens (docs/spec.md §5), API tokens, visitors' tokens and the
 * client secret.
 */
const SECRET = `kz[acrv]_[0-9A-Za-z]{43}|_pk_live_[0-9A-Za-z]{32}|${PLATFORM.clientSecret}`;

/** Every match of `SECRET` contains one of these texts. Searching for them first takes a tenth of the time. */
const SECRET_PARTS = ['kz', '_pk_live_', PLATFORM.clientSecret];

/**
 * Lists the tables with a row that matches a pattern as text: every column of every table of every schema, in
 * two round trips. Bytes are searched as hexadecimal digits.
 * @param parts every match contains at least one of these texts
 * @param since only rows of this transaction and later ones are searched
 */
export async function tablesWith(
  pool: Pool,
  pattern: string,
  parts: string[] = [''],
  since?: string,
): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    // Most tables are empty, and planning a search of each takes longer than searching the others.
    `select format('%s.%I', relnamespace::regnamespace, relname) as name from pg_class
     where relkind = 'r' and relpersistence <> 't' and pg_relation_size(oid) > 0
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
  );
  const searches = tables.map(
    ({ name }) => `select '${name}' as name where exists (
      select from (select t::text as row from ${name} t ${since ? 'where age(t.xmin) <= age($3::xid)' : ''} offset 0) written where row like any ($2) and row ~ $1
    )`,
  );
  const { rows } = await pool.query<{ name: string }>(searches.join(' union all '), [
    pattern,
    parts.map((part) => `%${part}%`),
    ...(since ? [since] : []),
  ]);
  return rows.map(({ name }) => name);
}

/** Returns the id of a new transaction. */
export async function startOfWrites(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select pg_current_xact_id()::xid::text as id');
  return rows[0]?.id ?? '';
}

/**
 * Checks that no table contains a secret.
 * @param since only rows of this transaction and later ones are searched
 * @throws when one does
 */
export async function refuseSecretsAtRest(pool: Pool, since?: string): Promise<void> {
  const found = await tablesWith(pool, SECRET, SECRET_PARTS, since);
  if (found.length > 0) throw new Error(`A code, a token or the client secret is in ${found.join(', ')}.`);
}
