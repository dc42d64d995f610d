import { expect, vi } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test('the database is queried at most once a second, however many requests arrive', async ({ service }) => {
  const queries = vi.spyOn(pool(), 'query');
  const started = performance.now();
  const responses = await Promise.all(Array.from({ length: 50 }, () => request(service.url)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const seconds = (performance.now() - started) / 1_000;
  expect(queries.mock.calls.length).toBeLessThanOrEqual(1 + Math.floor(seconds));

  queries.mockClear();
  await until(
    'the database is queried again',
    async () => (await request(service.url)).ok && queries.mock.calls.length > 0,
  );
});

const request = (url: string) => fetch(`${url}/readyz`);
