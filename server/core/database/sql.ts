import type { QueryConfig, QueryResult } from 'pg';
import { pool } from '#server/core/database/pools.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Runs SQL templates. `prepared()`, a `sqlTransaction` and a transaction of Prisma are such; only the last has models. Prisma
 * returns `bigint` and `numeric` as objects and `pg` as texts, so a statement casts what it counts to `int`.
 */
export type SqlDb = {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>;
  /** Returns the number of affected rows. */
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
};

/** Runs each template as a transaction of its own, prepared once per connection. */
export function prepared(): SqlDb {
  return PREPARED;
}

const PREPARED = sqlDb((statement) => pool().query(statement));

/** Returns an `SqlDb` on top of `pg`. */
export function sqlDb(send: (statement: QueryConfig) => Promise<QueryResult>): SqlDb {
  const run = async (query: TemplateStringsArray | Prisma.Sql, values: unknown[]) => {
    const { text, values: all } = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    const name = statementName(text);
    return send({ ...(name === undefined ? {} : { name }), text, values: all });
  };
  return {
    // The caller knows the shape of the rows.
    $queryRaw: async <Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await run(query, values)).rows as Rows,
    $executeRaw: async (query, ...values) => (await run(query, values)).rowCount ?? 0,
  };
}

/** Upper bound on prepared statements per connection. Statements with variable-length lists are not prepared. */
const NAMES_MAX = 500;

const shared = globalThis as typeof globalThis & { serviceStatements?: Map<string, string> };

/** Returns the name under which each connection prepares a statement once; undefined when there are too many. */
export function statementName(text: string): string | undefined {
  shared.serviceStatements ??= new Map();
  const names = shared.serviceStatements;
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  const name = `s-${names.size + 1}`;
  names.set(text, name);
  return name;
}

/**
 * SQL: the commit of this transaction does not wait for the flush. Only for what a crash may lose: a notification, because its
 * listeners also poll, or work that is repeated.
 */
export const WITHOUT_FLUSH = "set_config('synchronous_commit', 'off', true)";
