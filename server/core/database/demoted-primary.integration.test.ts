import type pg from 'pg';
import { describe, expect } from 'vitest';
import { isDatabaseAway } from '#server/core/database/errors.ts';
import { pool } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('a connection to a PostgreSQL that is no longer the primary is replaced after one refused change', () => {
  test.each([
    ['a statement', () => sql().$executeRaw`update users set name = name`],
    ['a transaction', () => sqlTransaction((tx) => tx.$executeRaw`update users set name = name`)],
    ['a statement of Prisma', () => db().user.updateMany({ data: { emailVerified: true } })],
    [
      'a transaction of Prisma',
      () => inTransaction((tx) => tx.user.updateMany({ data: { emailVerified: true } })),
    ],
  ])('%s', async (_what, change) => {
    await refuseChanges();
    const error = await change().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isDatabaseAway(error)).toBe(true);
    await change();
  });
});

/** Leaves one connection in the pool, which refuses changes as a standby does. */
async function refuseChanges(): Promise<void> {
  const clients: pg.PoolClient[] = [];
  do clients.push(await pool().connect());
  while (pool().idleCount > 0);
  const [kept, ...others] = clients;
  for (const client of others) client.release(true);
  await kept?.query('set default_transaction_read_only = on');
  kept?.release();
}
