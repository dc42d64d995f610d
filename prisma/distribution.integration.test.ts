import { describe, expect } from 'vitest';
import {
  GLOBAL_KEYS,
  INHERITING_TABLES,
  LOCAL_TABLES,
  REFERENCE_TABLES,
  WIDENED_FOREIGN_KEYS,
  WIDENED_KEYS,
} from '#prisma/distribution.ts';
import { pool } from '#server/core/database/pools.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

/** `test` with the tables, unique keys and foreign keys of the database. */
const test = serviceTest.extend('schema', { scope: 'file' }, ({ service: _ }) => readSchema());

describe('sharding by workspace', () => {
  test('every table without a workspace is a reference table, a local one, or inherits its workspace from another', ({
    schema,
  }) => {
    const without = schema.tables.filter(({ hasWorkspace }) => !hasWorkspace).map(({ name }) => name);
    const lists = [REFERENCE_TABLES, LOCAL_TABLES, INHERITING_TABLES];
    expect(without).toEqual(sorted(lists.flatMap((list) => Object.keys(list))));
    const withWorkspace = schema.tables.filter(({ hasWorkspace }) => hasWorkspace).map(({ name }) => name);
    for (const owner of Object.values(INHERITING_TABLES)) expect(withWorkspace).toContain(owner);
  });

  test('every unique key of a distributed table contains the workspace, or is listed as widened or global', ({
    schema,
  }) => {
    const lacking = schema.keys.filter(
      ({ table, columns, isId, name }) =>
        isDistributed(table) && !columns.includes('workspace_id') && !(isId && !(name in GLOBAL_KEYS)),
    );
    expect(sorted(lacking.map(({ name }) => name))).toEqual(
      sorted([...Object.keys(GLOBAL_KEYS), ...WIDENED_KEYS]),
    );
  });

  test('every foreign key between distributed tables contains the workspace, or is listed', ({ schema }) => {
    const between = schema.foreignKeys.filter(
      ({ table, referenced }) => isDistributed(table) && isDistributed(referenced),
    );
    const staysWithin = ({ columns, referencedColumns }: ForeignKey) =>
      columns.some((column, n) => column === 'workspace_id' && referencedColumns[n] === 'workspace_id');
    const leaving = between.filter((key) => !staysWithin(key));
    expect(sorted(leaving.map(({ table, referenced }) => `${table} -> ${referenced}`))).toEqual(
      sorted(WIDENED_FOREIGN_KEYS),
    );
    expect(between.length).toBeGreaterThan(leaving.length);
  });

  test('no foreign key leads from a reference or local table to a distributed one', ({ schema }) => {
    const astray = schema.foreignKeys.filter(
      ({ table, referenced }) => !isDistributed(table) && isDistributed(referenced),
    );
    expect(astray).toEqual([]);
  });
});

type Table = { name: string; hasWorkspace: boolean };
type Key = { table: string; name: string; columns: string[]; isId: boolean };
type ForeignKey = { table: string; referenced: string; columns: string[]; referencedColumns: string[] };

async function readSchema() {
  const query = async <Row extends object>(text: string) => (await pool().query<Row>(text)).rows;
  const tables = await query<Table>(`select relname as name, exists (
      select from pg_attribute where attrelid = c.oid and attname = 'workspace_id') as "hasWorkspace"
    from pg_class c where ${OURS} and relkind in ('r', 'p') order by 1`);
  const keys = await query<Key>(`select c.relname as table, i.relname as name,
      ${named('x.indkey::int2[]', 'c.oid')} as columns,
      x.indisprimary and ${named('x.indkey::int2[]', 'c.oid')} = array['id'] as "isId"
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where x.indisunique and ${OURS} order by 1, 2`);
  const foreignKeys =
    await query<ForeignKey>(`select c.relname as table, confrelid::regclass::text as referenced,
      ${named('conkey', 'conrelid')} as columns, ${named('confkey', 'confrelid')} as "referencedColumns"
    from pg_constraint k join pg_class c on c.oid = k.conrelid where contype = 'f' and conparentid = 0 and ${OURS}
    order by 1, 2`);
  return { tables, keys, foreignKeys };
}

/** Returns the names of columns by their numbers, in that order. An expression is an empty name. */
const named = (numbers: string, table: string) => `array(
  select coalesce(a.attname::text, '') from unnest(${numbers}) with ordinality u (number, place)
  left join pg_attribute a on a.attrelid = ${table} and a.attnum = u.number order by u.place)`;
const OURS = `c.relnamespace = 'public'::regnamespace and not c.relispartition`;
const isDistributed = (table: string) => !(table in REFERENCE_TABLES) && !(table in LOCAL_TABLES);
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
