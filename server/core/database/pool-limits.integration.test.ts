import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { cleanUpPool, db, inTransaction, pool } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

// Mostly waits: for connections, as long as the service does.

withTestService();

type Limits = { statement: string; lock: string; idle: string };
const LIMITS = `
  select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`;

describe('the database breaks off', () => {
  test.each([
    ['the data layer', () => db().$queryRawUnsafe<Limits[]>(LIMITS)],
    ['prepared statements', async () => (await pool().query<Limits>(LIMITS)).rows],
  ])('what somebody waits for after 20 s, and waiting for a lock after 10 s: %s', async (_what, read) => {
    expect(await read()).toEqual([{ statement: '20s', lock: '10s', idle: '20s' }]);
  });

  test('what removes what is old later, as no one waits for it', async () => {
    const { rows } = await cleanUpPool().query<Limits>(LIMITS);
    expect(rows).toEqual([{ statement: '1min', lock: '30s', idle: '20s' }]);
  });
});

describe('somebody who holds a row and does not go on', () => {
  let holder: Client | undefined;
  afterEach(() => holder?.end());

  test('keeps others from it for ten seconds, and their connections are used again', async () => {
    const { id } = await makeUser();
    holder = new Client({ connectionString: settings().DATABASE_URL });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from users where id = $1 for update', [id]);
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
