import { afterEach, describe, expect, vi } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { keepConnections, warmUp } from '#server/http/get-ready.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('settings', { scope: 'file' }, () => ({ DB_POOL_MAX: '10' }));

afterEach(() => {
  vi.useRealTimers();
});

describe('a ready server', () => {
  test('has opened all its connections, and still has them after an idle hour', async () => {
    await keepConnections();
    // A statement of a background task can hold one of them at any time.
    const allIdle = () =>
      expect.poll(() => [pool().idleCount, pool().totalCount], { timeout: 60_000 }).toEqual([10, 10]);
    await allIdle();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await Promise.all([pool().query('select'), db().$queryRaw`select 1`]);
    // The faked hour would time out a statement that is still running, and its connection would be closed.
    await allIdle();
    vi.advanceTimersByTime(3_600_000);
    vi.useRealTimers();
    await allIdle();
  });

  test('opens no further connection in a burst of requests', async () => {
    await keepConnections();
    const pids = async (query: () => Promise<{ pid: number }[]>) => {
      const found = await Promise.all(Array.from({ length: 40 }, query));
      return new Set(found.flat().map(({ pid }) => pid));
    };
    const slow = 'select pg_backend_pid() as pid from (select pg_sleep(0.01)) as slept';
    const ofPool = await pids(async () => (await pool().query<{ pid: number }>(slow)).rows);
    const ofData = await pids(() => db().$queryRawUnsafe<{ pid: number }[]>(slow));
    expect([ofPool.size, ofData.size]).toEqual([10, 10]);
    expect(new Set([...ofPool, ...ofData]).size).toBe(10);
  });
});

test('every connection has prepared the platform’s most frequent statements, and kept no plan of an empty table', async () => {
  await keepConnections();
  await warmUp();
  const { max } = pool().options;
  const clients = await Promise.all(Array.from({ length: max }, () => pool().connect()));
  try {
    for (const client of clients) {
      const { rows } = await client.query<{ name: string; generic_plans: string }>(
        'select name, generic_plans from pg_prepared_statements',
      );
      const plans = Object.fromEntries(rows.map(({ name, generic_plans }) => [name, generic_plans]));
      expect(plans).toMatchObject({
        // It reads every table by its unique index only.
        'consume-limits': expect.any(String),
        'find-callers': '0',
        'find-code': '0',
        'replace-access-tokens': '0',
      });
    }
  } finally {
    for (const client of clients) client.release();
  }
});
