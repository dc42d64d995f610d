import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { readFromReplica } from '#server/core/database/replica.ts';
import { sql } from '#server/core/database/sql.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { ALL, NOTHING, test } from '#test/fixtures/replica-test.ts';
import { until } from '#test/fixtures/until.ts';

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

  test('that takes too long on the replica runs on the primary, and others stay on the replica', async ({
    replica,
  }) => {
    await replica.replayed(ALL);
    await until('the replica is used', async () => (await readFromReplica(where)) === replica.name);
    const canceled = `create function cancel_here() returns text language plpgsql as $$
      begin raise exception 'as at a timeout' using errcode = 'query_canceled'; end $$`;
    await queryPostgres(replica.url, canceled);
    await db()
      .$executeRaw`create function cancel_here() returns text language sql as $$ select current_database()::text $$`;
    const slow = async () => {
      const [row] = await sql().$queryRaw<{ name: string }[]>`select cancel_here() as name`;
      return row?.name;
    };
    expect(await readFromReplica(slow)).toBe(await where());
    expect(await readFromReplica(where)).toBe(replica.name);
  });

  test('fails on the replica as on the primary when it is wrong itself', async ({ replica }) => {
    await replica.replayed(ALL);
    await until('the replica is used', async () => (await readFromReplica(where)) === replica.name);
    await expect(readFromReplica(() => sql().$queryRaw`select 1 / 0`)).rejects.toThrow('division by zero');
  });
});

async function where(): Promise<string | undefined> {
  const [row] = await sql().$queryRaw<{ name: string }[]>`select current_database() as name`;
  return row?.name;
}

async function whereOfPrisma(): Promise<string | undefined> {
  const [row] = await db().$queryRaw<{ name: string }[]>`select current_database()::text as name`;
  return row?.name;
}
