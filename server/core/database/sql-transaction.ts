import type { PoolClient } from 'pg';
import { runWithAfterCommit } from '#server/core/database/after-commit.ts';
import { isDatabaseAway } from '#server/core/database/errors.ts';
import { pool } from '#server/core/database/pools.ts';
import { retryConflicts } from '#server/core/database/retry.ts';
import { type SqlDb, sqlDb } from '#server/core/database/sql.ts';

/** Timeout of a transaction, in ms. */
export const TRANSACTION_MS = 15_000;

/**
 * Runs `change` in a transaction of SQL templates on `pg`, for the changes that requests make most: it costs a quarter of the
 * processor time of a transaction of Prisma. It has no models. Deadlocks and serialization failures are retried three times.
 *
 * Locks are taken in the order workspace, connection, hook, conversation, contact. Members and teams come before
 * conversations.
 * @throws when no connection is free within ten seconds, or the transaction takes longer than 15 seconds
 */
export function sqlTransaction<T>(change: (tx: SqlDb) => Promise<T>): Promise<T> {
  return retryConflicts(() => runWithAfterCommit((opened) => run(change, opened)));
}

async function run<T>(change: (tx: SqlDb) => Promise<T>, opened: (tx: SqlDb) => void): Promise<T> {
  const client = await pool().connect();
  const endsAt = performance.now() + TRANSACTION_MS;
  const tx = sqlDb(async (statement) => {
    checkTime(endsAt);
    return client.query(statement);
  });
  opened(tx);
  try {
    await client.query('begin');
    const result = await change(tx);
    checkTime(endsAt);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // The rollback would wait as long as the statement did.
    if (isDatabaseAway(error)) client.release(true);
    else await rollBack(client);
    throw error;
  }
}

/** Closes the connection if even the rollback fails, which rolls back too. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}

/** Throws an error with the code that Prisma uses for the same failure. */
function checkTime(endsAt: number): void {
  if (performance.now() <= endsAt) return;
  const message = `The transaction took longer than ${TRANSACTION_MS} ms and was rolled back.`;
  throw Object.assign(new Error(message), { code: 'P2028' });
}
