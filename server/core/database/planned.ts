import { afterCommit } from '#server/core/database/after-commit.ts';
import { statementOf } from '#server/core/database/parts.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * A change that is decided and not yet written: the parts of one statement, and the result, which is known before. So the caller
 * can write more in the same statement, such as the response of the API.
 */
export type Planned<T> = {
  result: T;
  /** By name; null has nothing to do. No parts: nothing changes. */
  parts: Record<string, Prisma.Sql | null>;
  /** What to do after the commit, in this order: always, or if this part returned a row. */
  after?: { ifRows?: string; work: () => void }[];
};

/** Decides a change in a transaction: locks and reads what it depends on. */
export type Plan<T> = (tx: SqlDb) => Promise<Planned<T>>;

/** Decides a change and writes it, in one transaction. */
export function planAndWrite<T>(plan: Plan<T>): Promise<T> {
  return sqlTransaction(async (tx) => writePlanned(tx, await plan(tx)));
}

/** Writes a planned change. */
export async function writePlanned<T>(tx: SqlDb, planned: Planned<T>): Promise<T> {
  await writeParts(tx, planned);
  return planned.result;
}

/**
 * Writes the parts of a planned change.
 * @param counted names of parts with `returning`
 * @returns the number of rows of each of these parts
 */
export async function writeParts(
  tx: SqlDb,
  { parts, after = [] }: Planned<unknown>,
  counted: string[] = [],
): Promise<Record<string, number>> {
  const names = new Set([...counted, ...after.flatMap(({ ifRows }) => ifRows ?? [])]);
  let counts: Record<string, number> = {};
  if (Object.values(parts).some((part) => part !== null)) {
    const columns = [...names]
      .filter((name) => parts[name])
      .map(Prisma.raw)
      .map((name) => Prisma.sql`, (select count(*)::int from ${name}) as ${name}`);
    const last = Prisma.sql`select true as written${Prisma.join([Prisma.empty, ...columns], '')}`;
    [counts = {}] = await tx.$queryRaw<Record<string, number>[]>(statementOf(parts, last));
  }
  for (const { ifRows, work } of after) {
    if (ifRows === undefined || (counts[ifRows] ?? 0) > 0) afterCommit(tx, work);
  }
  return counts;
}
