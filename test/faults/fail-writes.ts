import { pool } from '#server/core/database/pools.ts';

/** Number of created functions, for unique names: several can exist in a database. */
let created = 0;

type Failure = {
  /** Statements that fail, by default all that write. */
  on?: string;
  message: string;
  /** SQLSTATE of the error. */
  code?: string;
  /** Only these rows fail, not the whole statement. `old` and `new` are the row. */
  when?: string;
};

/**
 * Makes writes to these tables fail.
 * @returns a function that ends the failure
 */
export async function failWrites(
  tables: string[],
  { on = 'insert or update or delete', message, code = 'P0001', when }: Failure,
): Promise<() => Promise<void>> {
  created += 1;
  const name = `fail_writes_${created}`;
  // Change one table at a time, so that no lock is held while waiting for the next one.
  const each = async (statement: (table: string) => string) => {
    for (const table of tables) await pool().query(statement(table));
  };
  await pool().query(`create function ${name}() returns trigger language plpgsql as $$
    begin raise '${message}' using errcode = '${code}'; end $$`);
  const rows = when === undefined ? 'for each statement' : `for each row when (${when})`;
  await each((table) => `create trigger ${name} before ${on} on ${table} ${rows} execute function ${name}()`);
  return async () => {
    await each((table) => `drop trigger ${name} on ${table}`);
    await pool().query(`drop function ${name}`);
  };
}
