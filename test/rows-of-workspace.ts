import { db } from '#server/ground/db.ts';

/** Columns that say nothing of what a call changed: when a connection was last used. */
const IGNORED = ['last_used_at'];

/**
 * Everything that a workspace holds, as one text a table: what is the same before and after a call was not changed
 * by it. Covers every table with a `workspace_id`, so also one that is added tomorrow.
 */
export async function rowsOfWorkspace(workspaceId: string): Promise<Record<string, string>> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'
    order by 1`;
  const rows: Record<string, string> = {};
  for (const { name } of tables) {
    const [found] = await db().$queryRawUnsafe<{ text: string | null }[]>(
      `select string_agg((to_jsonb(t) - $2::text[])::text, e'\\n' order by to_jsonb(t)::text) as text
       from "${name}" t where workspace_id = $1::uuid`,
      workspaceId,
      IGNORED,
    );
    rows[name] = found?.text ?? '';
  }
  return rows;
}
