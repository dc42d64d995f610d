import type { QueryConfig, QueryResult } from 'pg';
import { pool } from '#server/core/database/pools.ts';
import { processState } from '#server/core/process-state.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Runs SQL templates. Implemented by `sql()`, by `sqlTransaction` and by Prisma, which returns `bigint` and `numeric` as objects
 * where `pg` returns texts: statements cast counts to `int`.
 */
export type SqlDb = {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>;
  /** Returns the number of affected rows. */
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
};

/** Runs each template as a separate transaction, prepared once per connection. */
export function sql(): SqlDb {
  return PREPARED;
}

const PREPARED = sqlDb((statement) => pool().query(statement));

/** Runs each template as a separate transaction, planned each time: for statements whose text depends on stored data. */
export function unprepared(): SqlDb {
  return UNPREPARED;
}

const UNPREPARED = sqlDb(
  (statement) => pool().query(statement),
  () => undefined,
);

/**
 * Returns a statement that PostgreSQL plans without its values, so that it keeps the plan of a prepared statement. With its values it
 * plans each time when those make the plan look cheaper than unknown ones do. For statements that read few rows by any value.
 * Values without a cast stay known.
 */
export function plannedOnce({ strings: [first = '', ...rest], values }: Prisma.Sql): Prisma.Sql {
  const parts = values.flatMap((value, n) => {
    const text = rest[n] ?? '';
    const [cast] = /^::\w+(\[\])?/.exec(text) ?? [];
    const given =
      cast === undefined ? Prisma.sql`${value}` : Prisma.sql`(select ${value}${Prisma.raw(cast)})`;
    return [given, Prisma.raw(text)];
  });
  return Prisma.join([Prisma.raw(first), ...parts], '');
}

/** Returns an `SqlDb` on top of `pg`. `nameOf`: the name under which a statement is prepared, if it is. */
export function sqlDb(
  send: (statement: QueryConfig) => Promise<QueryResult>,
  nameOf: (text: string) => string | undefined = statementName,
): SqlDb {
  const run = async (query: TemplateStringsArray | Prisma.Sql, values: unknown[]) => {
    const { text, values: all } = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    const name = nameOf(text);
    return send({ ...(name === undefined ? {} : { name }), text, values: all });
  };
  return {
    // The caller knows the shape of the rows.
    $queryRaw: async <Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await run(query, values)).rows as Rows,
    $executeRaw: async (query, ...values) => (await run(query, values)).rowCount ?? 0,
  };
}

/** Upper bounds on prepared statements per connection. Statements with variable-length lists are not prepared. */
const NAMES_MAX = { sql: 500, prisma: 200 };

/** The names by text. */
const statements = processState(() => ({
  sql: new Map<string, string>(),
  prisma: new Map<string, string>(),
}));

/** Returns the name under which each connection prepares a statement once; undefined when there are too many. */
export function statementName(text: string, origin: keyof typeof NAMES_MAX = 'sql'): string | undefined {
  const names = statements()[origin];
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX[origin]) return known;
  const name = `${origin}-${names.size + 1}`;
  names.set(text, name);
  return name;
}

/**
 * SQL: the commit of this transaction does not wait for the flush. Only for what a crash may lose: a notification, because its
 * listeners also poll, or work that is repeated.
 */
export const WITHOUT_FLUSH = "set_config('synchronous_commit', 'off', true)";
