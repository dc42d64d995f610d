import { PrismaPg } from '@prisma/adapter-pg';
import { runWithAfterCommit } from '#server/core/database/after-commit.ts';
import { closePools, pool } from '#server/core/database/pools.ts';
import { retryConflicts } from '#server/core/database/retry.ts';
import { statementName } from '#server/core/database/sql.ts';
import { TRANSACTION_MS } from '#server/core/database/sql-transaction.ts';
import { processState } from '#server/core/process-state.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { type Prisma, PrismaClient } from '#server/generated/prisma/client.ts';

/** A transaction of Prisma: the first parameter of a function that changes something and uses models. */
export type Tx = Prisma.TransactionClient;
/** Prisma itself or a transaction: the first parameter of a function that only reads and uses models. */
export type Db = PrismaClient | Tx;

/** Maximum wait for a connection, in ms. */
const CONNECTION_WAIT_MS = 10_000;

/** Returns Prisma, for everything but the most frequent statements. */
export const db = processState(
  () =>
    new PrismaClient({
      adapter: new PrismaPg(pool(), {
        statementNameGenerator: ({ sql }) => statementName(sql, 'prisma') ?? '',
      }),
      transactionOptions: { maxWait: CONNECTION_WAIT_MS, timeout: TRANSACTION_MS },
    }),
);

/**
 * Runs `change` in a transaction of Prisma. Frequent changes use `sqlTransaction`, which costs a quarter. Deadlocks and
 * serialization failures are retried three times.
 *
 * Locks are taken in the order workspace, connection, hook, conversation, contact. Members and teams come before
 * conversations.
 * @throws when no connection is free within ten seconds, or the transaction takes longer than 15 seconds
 */
export function inTransaction<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
  return retryConflicts(() =>
    runWithAfterCommit((opened) =>
      db().$transaction((tx) => {
        opened(tx);
        return change(tx);
      }),
    ),
  );
}

/** Closes all connections of the process. */
export async function closeDatabase(): Promise<void> {
  await settleRuns();
  await db.take()?.$disconnect();
  await closePools();
}
