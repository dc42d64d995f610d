import type { ExportTable } from '#server/administration/export/export-tables.ts';
import { cleanUpPool } from '#server/core/database/pools.ts';
import { readFromReplica } from '#server/core/database/replica.ts';

/**
 * Position in the rows of a table: the key of the last row, and for rows of conversations the last conversation of the batch before.
 */
export type RowPosition = { from: string | null; after: string[] | null };

/** Rows that are read together, and conversations whose rows are searched together. */
const PAGE = 200;

/** Types of columns in keys. All others are ids. */
const TYPES: Record<string, string> = {
  key: 'text',
  domain: 'text',
  external_id: 'text',
  author: 'text',
  emoji: 'text',
  created_at: 'timestamptz',
};

type RowPage = { lines: string[]; next: RowPosition | null };

/** Returns the next rows as JSON, and the position after them: null when there are no more. */
export async function readRows(
  table: ExportTable,
  workspaceId: string,
  position: RowPosition,
): Promise<RowPage> {
  if (table.of === 'workspace') {
    const scope = table.scope ?? 't.workspace_id = $1';
    const found = await query(table, { scope, values: [workspaceId], after: position.after });
    return { lines: found.lines, next: found.after ? { from: null, after: found.after } : null };
  }
  const ids = await readConversations(workspaceId, position.from);
  const last = ids.at(-1);
  if (last === undefined) return { lines: [], next: null };
  const found = await query(table, { scope: SCOPES[table.of], values: [ids], after: position.after });
  return {
    lines: found.lines,
    next: found.after ? { from: position.from, after: found.after } : { from: last, after: null },
  };
}

const SCOPES = {
  conversation: 't.conversation_id = any($1::uuid[])',
  messages: 't.message_id in (select id from messages where conversation_id = any($1::uuid[]))',
  notes: 't.note_id in (select id from notes where conversation_id = any($1::uuid[]))',
  taggings: 't.tagging_id in (select id from taggings where conversation_id = any($1::uuid[]))',
};

/** Returns rows by their key. `after`: the key of the last row, when there may be more. */
async function query(
  { table, key, columns, where }: ExportTable,
  { scope, values, after }: { scope: string; values: unknown[]; after: string[] | null },
): Promise<{ lines: string[]; after: string[] | null }> {
  const keys = key.split(' ');
  const named = keys.map((name) => `t.${name}`).join(', ');
  const above = keys.map((name, at) => `$${values.length + at + 1}::${TYPES[name] ?? 'uuid'}`).join(', ');
  const statement = `select array[${keys.map((name) => `t.${name}::text`).join(', ')}] as key,
       (select row_to_json(x)::text from (select ${columns
         .split(' ')
         .map((name) => `t.${name}`)
         .join(', ')}) x) as line
     from ${table} t where ${scope} ${where ? `and ${where}` : ''} ${after ? `and (${named}) > (${above})` : ''}
     order by ${named} limit ${PAGE}`;
  const { rows } = await readFromReplica(() =>
    cleanUpPool().query<{ key: string[]; line: string }>(statement, [...values, ...(after ?? [])]),
  );
  const isLast = rows.length < PAGE;
  return { lines: rows.map(({ line }) => line), after: isLast ? null : (rows.at(-1)?.key ?? null) };
}

/** Tests of the AI agent and conversations that are being erased are left out. */
async function readConversations(workspaceId: string, after: string | null): Promise<string[]> {
  const { rows } = await readFromReplica(() =>
    cleanUpPool().query<{ id: string }>(
      `select id from conversations where workspace_id = $1 and not is_test and ($2::uuid is null or id > $2)
       order by id limit ${PAGE}`,
      [workspaceId, after],
    ),
  );
  return rows.map(({ id }) => id);
}
