import { pool } from '#server/core/database/pools.ts';

/** Columns that say nothing of what a call changed: when a connection was last used. */
const IGNORED = ['last_used_at'];

/**
 * Everything that a workspace holds, as one text a table: what is the same before and after a call was not changed
 * by it. Covers every table with a `workspace_id`, so also one that is added tomorrow; days of history are read with the
 * table they are a part of.
 */
export async function rowsOfWorkspace(workspaceId: string): Promise<Record<string, string>> {
  const { rows: tables } = await pool().query<{ name: string; isEmpty: boolean }>(
    `select c.relname as name, c.relkind = 'r' and pg_relation_size(c.oid) = 0 as "isEmpty" from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'workspace_id'
     order by 1`,
  );
  // Most tables are empty, and to plan a query of each takes longer than to read the others.
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
