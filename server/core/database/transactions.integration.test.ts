import { afterEach, describe, expect, vi } from 'vitest';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { pool } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

afterEach(() => vi.restoreAllMocks());

const transactions: { name: string; transaction: Transaction }[] = [
  { name: 'sqlTransaction', transaction: sqlTransaction },
  { name: 'inTransaction', transaction: inTransaction },
];

describe.each(transactions)('$name', ({ transaction }) => {
  test('commits all statements together, on one connection', async () => {
    const { id } = await makeUser('Before');
    const statements = await statementsOf(() =>
      transaction(async (tx) => {
        expect(await rename(tx, id, 'After')).toBe(1);
        const [row] = await tx.$queryRaw<{ name: string }[]>`select name from users where id = ${id}::uuid`;
        expect(row?.name).toBe('After');
        expect(await nameOf(id)).toBe('Before');
      }),
    );
    expect(await nameOf(id)).toBe('After');
    const edges = statements.filter(({ text }) => /^(begin|commit|rollback)$/i.test(text));
    expect(edges.map(({ text }) => text.toLowerCase())).toEqual(['begin', 'commit']);
  });

  test('rolls back when a statement or the function fails', async () => {
    const { id } = await makeUser('Before');
    const renameThen = (end: (tx: SqlDb) => Promise<unknown>) =>
      transaction(async (tx) => {
        await rename(tx, id, 'After');
        await end(tx);
      });
    await expect(renameThen((tx) => tx.$executeRaw`select 1 / 0`)).rejects.toThrow();
    await expect(renameThen(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await nameOf(id)).toBe('Before');
  });

  test('returns its connection to the pool, even after a failure', async () => {
    const max = pool().options.max ?? 0;
    const many = Array.from({ length: max + 10 }, (_, n) =>
      transaction(async (tx) => {
        if (n % 2 === 0) throw new Error('refused');
        return tx.$queryRaw`select 1`;
      }).catch(() => undefined),
    );
    await Promise.all(many);
    await until('all connections are idle', () => pool().idleCount === pool().totalCount);
  });

  test.each(['40P01', '40001'])('retries after an error %s', async (code) => {
    const { id } = await makeUser('Before');
    let attempts = 0;
    await transaction(async (tx) => {
      attempts += 1;
      await rename(tx, id, `Attempt ${attempts}`);
      const raise = `do $$ begin raise exception 'conflict' using errcode = '${code}'; end $$`;
      if (attempts < 4) await tx.$executeRaw(Prisma.raw(raise));
    });
    expect(await nameOf(id)).toBe('Attempt 4');
  });

  test('reads and writes timestamps in UTC, whatever the time zone of the database', async () => {
    const at = new Date('2026-07-01T12:00:00.123Z');
    const [row] = await transaction(
      (tx) => tx.$queryRaw<{ at: Date; text: string }[]>`
        select ${at}::timestamptz as at, to_char(${at}::timestamptz at time zone 'UTC', 'HH24:MI:SS.MS') as text`,
    );
    expect(row).toEqual({ at, text: '12:00:00.123' });
    const [zone] = await transaction(
      (tx) => tx.$queryRaw<{ zone: string }[]>`select current_setting('TimeZone') as zone`,
    );
    expect(zone?.zone).toBe('UTC');
  });
});

test('sqlTransaction rolls back after 15 seconds', async () => {
  const { id } = await makeUser('Before');
  const now = performance.now.bind(performance);
  const change = sqlTransaction(async (tx) => {
    await tx.$executeRaw`update users set name = 'After' where id = ${id}::uuid`;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 15_001);
  });
  await expect(change).rejects.toMatchObject({ code: 'P2028' });
  vi.restoreAllMocks();
  expect(await nameOf(id)).toBe('Before');
});

test('inTransaction commits models and SQL together', async () => {
  const { id } = await makeUser('Before');
  const failed = inTransaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { name: 'After' } });
    await tx.$executeRaw`update users set image = 'x' where id = ${id}::uuid`;
    await tx.user.create({ data: { id, name: 'x', email: 'x@x.test' } });
  });
  await expect(failed).rejects.toThrow();
  expect(await db().user.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'Before', image: null });
});

describe('afterCommit', () => {
  test('runs its work once the change is visible', async () => {
    const { id } = await makeUser('Before');
    const seen = Promise.withResolvers<string>();
    await inTransaction(async (tx) => {
      await tx.user.update({ where: { id }, data: { name: 'After' } });
      afterCommit(tx, () => nameOf(id).then(seen.resolve, seen.reject));
    });
    expect(await seen.promise).toBe('After');
  });

  test.each(transactions)('runs no work of a rolled-back $name', async ({ transaction }) => {
    const done: string[] = [];
    const change = transaction(async (tx) => {
      afterCommit(tx, () => done.push('once'));
      throw new Error('refused');
    });
    await expect(change).rejects.toThrow('refused');
    expect(done).toEqual([]);
  });

  test.each(transactions)(
    'runs only the work of the last attempt of a retried $name',
    async ({ transaction }) => {
      const done: number[] = [];
      let attempt = 0;
      await transaction(async (tx) => {
        attempt += 1;
        const number = attempt;
        afterCommit(tx, () => done.push(number));
        if (number === 1) throw Object.assign(new Error('A deadlock.'), { code: 'P2034' });
      });
      expect(done).toEqual([2]);
    },
  );

  test.each(transactions)('runs the same work once after a $name', async ({ transaction }) => {
    let done = 0;
    const work = () => {
      done += 1;
    };
    await transaction(async (tx) => {
      afterCommit(tx, work);
      afterCommit(tx, work);
      expect(done).toBe(0);
    });
    expect(done).toBe(1);
  });
});

const nameOf = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).name;

type Transaction = <T>(change: (tx: SqlDb) => Promise<T>) => Promise<T>;

const rename = (tx: SqlDb, id: string, name: string) =>
  tx.$executeRaw`update users set name = ${name} where id = ${id}::uuid`;
