import { pool, type Tx } from '#server/core/database/db.ts';
import { namedStatement } from '#server/core/database/named-statement.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** What runs a statement of SQL: a transaction, or `prepared`. */
export type RawDb = Pick<Tx, '$queryRaw' | '$executeRaw'>;

/**
 * Statements of which each is a transaction of its own, prepared once a connection like those within `inTransaction`: for a
 * read, and for a change that is one statement.
 */
export function prepared(): RawDb {
  return PREPARED;
}

const ask = (first: TemplateStringsArray | Prisma.Sql, values: unknown[]) =>
  pool().query(namedStatement(first, values));
type Raw = (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => Promise<unknown>;
const raw: Record<keyof RawDb, Raw> = {
  $queryRaw: async (first, ...values) => (await ask(first, values)).rows,
  $executeRaw: async (first, ...values) => (await ask(first, values)).rowCount ?? 0,
};
const PREPARED = raw as unknown as RawDb;
