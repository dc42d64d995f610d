import { askTogether } from '#server/core/database/ask-together.ts';
import { prepared, type RawDb } from '#server/core/database/prepared.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** A read as data: a statement, and what is made of its rows. They come as JSON, in which a moment is a text. */
export type Read<T> = { statement: Prisma.Sql; of: (rows: never[]) => T };

/** Where reads that are asked for at once go as one statement. */
export type ReadsTogether = { ask: <T>(read: Read<T>) => Promise<T> };

/** What a read is asked of: the reads of a request, a transaction, or the database. */
export type ReadDb = ReadsTogether | RawDb;

/** A read of rows of one shape. */
export function read<Row, T>(statement: Prisma.Sql, of: (rows: Row[]) => T): Read<T> {
  return { statement, of };
}

/** Asks for what a function reads, together with other reads where `db` gathers them. */
export async function ask<T>(db: ReadDb, asked: Read<T>): Promise<T> {
  if ('ask' in db) return db.ask(asked);
  const [rows] = await sendAll(db, [asked]);
  return asked.of(rows as never[]);
}

/**
 * Gathers the reads of one request: those that are asked for before the process turns to its next input go as one
 * statement. Only for reads that take about as long as a look-up, as each waits for all; one that fails fails them all.
 */
export function readsTogether(): ReadsTogether {
  const rowsOf = askTogether((reads: Read<unknown>[]) => sendAll(prepared(), reads));
  return { ask: async (asked) => asked.of((await rowsOf(asked)) as never[]) };
}

/** The rows of each read, by one statement. */
async function sendAll(db: RawDb, reads: Read<unknown>[]): Promise<unknown[][]> {
  const columns = reads.map(
    ({ statement }, n) =>
      Prisma.sql`(select coalesce(json_agg(r), '[]') from (${statement}) r) as ${Prisma.raw(`"${n}"`)}`,
  );
  const [row] = await db.$queryRaw<Record<string, unknown[]>[]>(Prisma.sql`select ${Prisma.join(columns)}`);
  return reads.map((_read, n) => row?.[n] ?? []);
}
