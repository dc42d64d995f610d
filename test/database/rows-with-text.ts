import { pool } from '#server/core/database/pools.ts';

/** A column of a table, without partitions and generated columns. */
export type Column = { table: string; column: string };

/** Returns the columns of the service that can hold a text of a person: text, JSON, bytes and words for search. */
export async function textColumns(): Promise<Column[]> {
  const { rows } = await pool().query<Column>(
    `select c.relname as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> '_prisma_migrations' and a.attnum > 0 and not a.attisdropped
       and t.typname in ('text', '_text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', 'tsvector')
     order by 1, 2`,
  );
  return rows;
}

/** Returns the columns in which a row has this ASCII text, in lowercase, such as `contacts.email`. */
export async function rowsWithText(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column } of await textColumns()) {
    const { rowCount } = await pool().query(
      `select from "${table}" r where strpos(lower(case pg_typeof(r."${column}") when 'bytea'::regtype
         then encode(r."${column}"::text::bytea, 'escape') else r."${column}"::text end), $1) > 0 limit 1`,
      [text],
    );
    if (rowCount) found.push(`${table}.${column}`);
  }
  return found;
}
