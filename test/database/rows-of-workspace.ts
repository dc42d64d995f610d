import { pool } from '#server/core/database/pools.ts';

/** Columns that change with every call and are ignored. */
const IGNORED = ['last_used_at'];

/**
 * Returns all rows of a workspace as one text per table, to compare before and after a call. Covers every
 * table with a `workspace_id`, including future ones. Rows of partitions are read through their parent table.
 */
export async function rowsOfWorkspace(workspaceId: string): Promise<Record<string, string>> {
  const { rows: tables } = await pool().query<{ name: string; isEmpty: boolean }>(
    `select c.relname as name, c.relkind = 'r' and pg_relation_size(c.oid) = 0 as "isEmpty" from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'workspace_id'
     order by 1`,
  );
  // Most tables are empty, and planning a query of each takes longer than reading the others.
  const texts = tables
    .filter(({ isEmpty }) => !isEmpty)
    .map(
      ({ name }) => `select '${name}' as name, coalesce((
      select string_agg((to_jsonb(t) - $2::text[])::text, e'\\n' order by to_jsonb(t)::text)
      from "${name}" t where workspace_id = $1::uuid), '') as text`,
    );
  const { rows } = await pool().query<{ name: string; text: string }>(texts.join(' union all '), [
    workspaceId,
    IGNORED,
  ]);
  return Object.fromEntries([
    ...tables.map(({ name }) => [name, '']),
    ...rows.map(({ name, text }) => [name, text]),
  ]);
}
