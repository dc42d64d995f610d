import { afterEach, expect, vi } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { removeOldLimits } from '#server/core/limits/remove-old-limits.ts';
import { setClock } from '#test/fixtures/later.ts';
import { test } from '#test/fixtures/service-test.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a window lasts exactly 60 seconds, including for the process that refused calls', async () => {
  const before = Date.now();
  await useUpLimit('a');
  const after = Date.now();
  expect(await allowed('a')).toBe(false);
  setClock(before + 59_000);
  expect(await allowed('a')).toBe(false);
  setClock(after + 61_000);
  expect(await consumeLimit('api', 'a')).toMatchObject({ allowed: true, remaining: 299 });
});

test('an exhausted window reports its remaining time in whole seconds', async () => {
  const before = Date.now();
  await useUpLimit('b');
  const after = Date.now();
  setClock(before + 30_000);
  const { retryAfterSeconds } = await consumeLimit('api', 'b');
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(30);
  expect(retryAfterSeconds).toBeLessThanOrEqual(30 + Math.ceil((after - before) / 1_000));
  expect(Number.isInteger(retryAfterSeconds)).toBe(true);
});

test('a window does not affect the next one', async () => {
  await consumeLimit('api', 'c');
  await db().$executeRaw`update rate_limits set expire = ${Date.now() - 1} where key = 'api:c'`;
  expect((await consumeLimit('api', 'c')).remaining).toBe(299);
});

test('counts of windows that ended over an hour ago are removed, unless they are locked', async () => {
  const ended = async (key: string, minutesAgo: number) => {
    await consumeLimit('api', key);
    await db().$executeRaw`
      update rate_limits set expire = ${Date.now() - minutesAgo * 60_000} where key = ${`api:${key}`}`;
  };
  await ended('d', 61);
  await ended('e', 59);
  await inTransaction(async (tx) => {
    await tx.$queryRaw`select from rate_limits where key = 'api:d' for update`;
    expect(await removeOldLimits()).toBe(0);
  });
  expect(await removeOldLimits()).toBe(1);
  expect(await db().$queryRaw`select key from rate_limits where key in ('api:d', 'api:e')`).toEqual([
    { key: 'api:e' },
  ]);
});

const allowed = async (key: string) => (await consumeLimit('api', key)).allowed;
