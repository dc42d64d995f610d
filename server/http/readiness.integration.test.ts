import { expect, vi } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { checkReadiness } from '#server/http/health.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test('the database is queried at most once a second, however many requests arrive', async ({ service }) => {
  const spy = vi.spyOn(pool(), 'query');
  // The service also queries the database on its own.
  const queries = () => spy.mock.calls.filter(([text]) => String(text).includes('_prisma_migrations')).length;
  const started = performance.now();
  const responses = await Promise.all(Array.from({ length: 50 }, () => request(service.url)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const seconds = (performance.now() - started) / 1_000;
  expect(queries()).toBeLessThanOrEqual(1 + Math.floor(seconds));

  spy.mockClear();
  await until('the database is queried again', async () => (await request(service.url)).ok && queries() > 0);
});

test('a database that was never migrated is reported as such, not as unreachable', async ({ service: _ }) => {
  await pool().query('alter table _prisma_migrations rename to others');
  try {
    expect(await checkReadiness()).toEqual({
      ok: false,
      reason: expect.stringMatching(/^\d+ migrations are not applied\.$/),
    });
  } finally {
    await pool().query('alter table others rename to _prisma_migrations');
  }
});

const request = (url: string) => fetch(`${url}/readyz`);
