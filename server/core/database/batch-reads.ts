import { batchPerTurn } from '#server/core/database/batch.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Sends the statements of one turn of the event loop as one. */
export type ReadBatch = { rowsOf: (statement: Prisma.Sql) => Promise<unknown[]> };

/** Runs a read: the batch of a request, or anything that runs SQL. */
export type ReadDb = ReadBatch | SqlDb;

/**
 * Runs a statement, together with others where `db` batches them. Rows arrive as JSON, so a timestamp is a text.
 * @param of returns the result for the rows, whose shape the caller knows
 */
export async function runRead<Row, T>(db: ReadDb, statement: Prisma.Sql, of: (rows: Row[]) => T): Promise<T> {
  const [rows] = 'rowsOf' in db ? [await db.rowsOf(statement)] : await sendAll(db, [statement]);
  return of(rows as Row[]);
}

/**
 * Batches the reads of one request. Only for reads about as fast as a lookup, because each waits for all. When one fails, all
 * of its batch do.
 */
export function batchReads(): ReadBatch {
  return { rowsOf: batchPerTurn((statements: readonly Prisma.Sql[]) => sendAll(sql(), statements)) };
}

/** Returns the rows of each statement, with one statement. */
async function sendAll(db: SqlDb, statements: readonly Prisma.Sql[]): Promise<unknown[][]> {
  const columns = statements.map(
    (statement, n) =>
      Prisma.sql`(select coalesce(json_agg(r), '[]') from (${statement}) r) as ${Prisma.raw(`"${n}"`)}`,
  );
  const [row] = await db.$queryRaw<Record<string, unknown[]>[]>(Prisma.sql`select ${Prisma.join(columns)}`);
  return statements.map((_statement, n) => row?.[n] ?? []);
}
