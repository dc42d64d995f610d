import { Client } from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { cleanUpPool, pool, readForScreens } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

describe('PostgreSQL cancels', () => {
  test.each([
    ['Prisma', () => db().$queryRawUnsafe<Limits[]>(LIMITS)],
    ['the pool', async () => (await pool().query<Limits>(LIMITS)).rows],
  ])('statements after 20 s and lock waits after 10 s: %s', async (_what, read) => {
    expect(await read()).toEqual([{ statement: '20s', lock: '10s', idle: '20s' }]);
  });

  test('statements that remove old rows later, because nobody waits for them', async () => {
    const { rows } = await cleanUpPool().query<Limits>(LIMITS);
    expect(rows).toEqual([{ statement: '1min', lock: '30s', idle: '20s' }]);
  });
});

describe('a transaction that holds a row lock and hangs', () => {
  test('blocks others for ten seconds, and their connections return to the pool', async () => {
    const { id } = await makeUser();
    const holder = new Client({ connectionString: settings().DATABASE_URL });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from users where id = $1 for update', [id]);
    onTestFinished(() => holder.end());
    const begun = performance.now();
    const changes = Array.from({ length: 12 }, () =>
      inTransaction((tx) => tx.user.update({ where: { id }, data: { name: 'Changed' } })),
    );
    const results = await Promise.allSettled(changes);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(9_900);
    await holder.query('rollback');
    await inTransaction((tx) => tx.user.update({ where: { id }, data: { name: 'Changed' } }));
  });
});

test('the reads of a session that wait leave connections for the screens of others', async () => {
  const { rows } = await pool().query<{ key: string }>('select gen_random_uuid()::text as key');
  const key = rows[0]?.key;
  const holder = new Client({ connectionString: settings().DATABASE_URL });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('select pg_advisory_lock(hashtext($1))', [key]);
  const read = () => pool().query('select pg_advisory_xact_lock_shared(hashtext($1))', [key]);
  const reads = Promise.all(Array.from({ length: 20 }, () => readForScreens('one', read)));
  const waiting = () =>
    holder.query(
      "select from pg_locks where locktype = 'advisory' and not granted and objid = hashtext($1)::bigint & 4294967295",
      [key],
    );
  const share = Math.ceil(Math.ceil(settings().DB_POOL_MAX / 2) / 3);
  await until('the session uses its share', async () => (await waiting()).rowCount === share);
  expect((await readForScreens('another', () => pool().query('select 1 as one'))).rows).toEqual([{ one: 1 }]);
  expect((await waiting()).rowCount).toBe(share);
  await holder.query('select pg_advisory_unlock(hashtext($1))', [key]);
  expect(await reads).toHaveLength(20);
});

const LIMITS = `
  select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`;

type Limits = { statement: string; lock: string; idle: string };
