import type { Planned } from '#server/core/database/planned.ts';
import { writeParts } from '#server/core/database/planned.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Decides and writes the change of a procedure in one transaction. Under an `Idempotency-Key` the same statement stores the
 * response, so that both are committed or neither.
 */
export type WriteChange = <T>(plan: (tx: SqlDb) => Promise<PlannedAnswer<T>>) => Promise<T>;

export type PlannedAnswer<T> = Planned<T> & {
  /** The body of the response, if it is not the result. */
  response?: unknown;
  /** False when more follows after the commit, for example the sending of a reply. */
  isFinal?: boolean;
};

/**
 * A condition of a write, by name: a part of its statement that returns a row, or the error that rolls the write back.
 * `otherwise` may read the reason in the transaction.
 */
export type WriteConditions = Record<
  string,
  { part: Prisma.Sql; otherwise: (tx: SqlDb) => Error | Promise<Error> }
>;

/** Writes a planned change under conditions. @throws the error of the first condition that does not hold */
export async function writeUnder(
  tx: SqlDb,
  planned: Planned<unknown>,
  conditions: WriteConditions,
): Promise<void> {
  const parts = Object.fromEntries(Object.entries(conditions).map(([name, { part }]) => [name, part]));
  const all = { ...planned, parts: { ...planned.parts, ...parts } };
  const counts = await writeParts(tx, all, Object.keys(conditions));
  for (const [name, { otherwise }] of Object.entries(conditions))
    if (counts[name] === 0) throw await otherwise(tx);
}

/** Runs a change that uses the models of Prisma in a transaction, which commits under the same conditions as `WriteChange`. */
export type Transact = typeof inTransaction;

/** The two ways in which a procedure writes: a planned change, or one in a transaction of Prisma. */
export type Writer = { write: WriteChange; transact: Transact };

/** Returns the writer of calls without an `Idempotency-Key`. */
export function openWriter(conditions: WriteConditions = {}): Writer {
  return {
    write: (plan) =>
      sqlTransaction(async (tx) => {
        const planned = await plan(tx);
        await writeUnder(tx, planned, conditions);
        return planned.result;
      }),
    transact: (change) =>
      inTransaction(async (tx) => {
        const result = await change(tx);
        await writeUnder(tx, { result, parts: {} }, conditions);
        return result;
      }),
  };
}
