import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { readFromReplica } from '#server/core/database/replica.ts';
import { sql } from '#server/core/database/sql.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

/** `replica`: another database of the server. A function of it reports how far it has replayed, as a standby does. */
const test = serviceTest
  .extend('replica', { scope: 'file' }, async ({ limits: _ }, { onCleanup }) => {
    const { url, name, drop } = await createTestDatabase();
    onCleanup(drop);
    await queryPostgres(url, `alter database ${name} set search_path = public, pg_catalog`);
    const replayed = (lsn: string) =>
      queryPostgres(
        url,
        `create or replace function public.pg_last_wal_replay_lsn() returns pg_lsn language sql as $$ select ${lsn} $$`,
      );
    return { url, name, replayed };
  })
  .extend('settings', { scope: 'file' }, ({ replica }) => ({ DATABASE_REPLICA_URL: replica.url }));

describe('a read that may be a second old', () => {
  test('runs on the replica while that has replayed what the primary wrote, and others on the primary', async ({
    replica,
  }) => {
    await replica.replayed(ALL);
    await until('the replica is used', async () => (await readFromReplica(where)) === replica.name);
    expect(await readFromReplica(whereOfPrisma)).toBe(replica.name);
    expect(await where()).not.toBe(replica.name);
    expect(await whereOfPrisma()).not.toBe(replica.name);
  });

  test('runs on the primary while the replica lags, or is no standby', async ({ replica }) => {
    for (const lsn of [NOTHING, 'null::pg_lsn']) {
      await replica.replayed(ALL);
      await until('the replica is used', async () => (await readFromReplica(where)) === replica.name);
      await replica.replayed(lsn);
      await until('the primary is used', async () => (await readFromReplica(where)) !== replica.name);
    }
  });

  test('runs again on the primary when the replica fails, and later on the replica', async ({ replica }) => {
    await replica.replayed(ALL);
    await until('the replica is used', async () => (await readFromReplica(where)) === replica.name);
    const failing = async () => {
      const [row] = await sql().$queryRaw<{ name: string }[]>`
        select current_database() as name,
          case when current_database() = ${replica.name} then pg_terminate_backend(pg_backend_pid()) end as ended`;
      return row?.name;
    };
    expect(await readFromReplica(failing)).not.toBe(replica.name);
    expect(await readFromReplica(where)).not.toBe(replica.name);
    await until('the replica is used again', async () => (await readFromReplica(where)) === replica.name);
  });

  test('fails on the replica as on the primary when it is wrong itself', async ({ replica }) => {
    await replica.replayed(ALL);
    await until('the replica is used', async () => (await readFromReplica(where)) === replica.name);
    await expect(readFromReplica(() => sql().$queryRaw`select 1 / 0`)).rejects.toThrow('division by zero');
  });
});

const ALL = "'FFFFFFFF/FFFFFFFF'::pg_lsn";
const NOTHING = "'0/0'::pg_lsn";

async function where(): Promise<string | undefined> {
  const [row] = await sql().$queryRaw<{ name: string }[]>`select current_database() as name`;
  return row?.name;
}

async function whereOfPrisma(): Promise<string | undefined> {
  const [row] = await db().$queryRaw<{ name: string }[]>`select current_database()::text as name`;
  return row?.name;
}
