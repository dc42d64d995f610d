import { batchPerTurn } from '#server/core/database/batch.ts';
import { prepared, type SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** A read as data: a statement, and a function of its rows. Rows arrive as JSON, so a timestamp is a text. */
export type Read<T> = { statement: Prisma.Sql; of: (rows: never[]) => T };

/** Sends the reads of one turn of the event loop as one statement. */
export type ReadBatch = { run: <T>(read: Read<T>) => Promise<T> };

/** Runs a read: the batch of a request, or anything that runs SQL. */
export type ReadDb = ReadBatch | SqlDb;

/** Returns a read of rows of one shape. */
export function read<Row, T>(statement: Prisma.Sql, of: (rows: Row[]) => T): Read<T> {
  return { statement, of };
}

/** Runs a read, together with others where `db` batches them. */
export async function runRead<T>(db: ReadDb, requested: Read<T>): Promise<T> {
  if ('run' in db) return db.run(requested);
  const [rows] = await sendAll(db, [requested]);
  return requested.of(rows as never[]);
}

/**
 * Batches the reads of one request. Only for reads about as fast as a lookup, because each waits for all. When one fails, all
 * of its batch do.
 */
export function batchReads(): ReadBatch {
  const rowsOf = batchPerTurn((reads: Read<unknown>[]) => sendAll(prepared(), reads));
  return { run: async (requested) => requested.of((await rowsOf(requested)) as never[]) };
}

/** Returns the rows of each read, with one statement. */
async function sendAll(db: SqlDb, reads: Read<unknown>[]): Promise<unknown[][]> {
  const columns = reads.map(
    ({ statement }, n) =>
      Prisma.sql`(select coalesce(json_agg(r), '[]') from (${statement}) r) as ${Prisma.raw(`"${n}"`)}`,
  );
  const [row] = await db.$queryRaw<Record<string, unknown[]>[]>(Prisma.sql`select ${Prisma.join(columns)}`);
  return reads.map((_read, n) => row?.[n] ?? []);
}
