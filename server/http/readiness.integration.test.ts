import { expect, test, vi } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

const service = withTestService();
const ask = () => fetch(`${service.url}/readyz`);

test('however many ask whether the server is ready, the database is asked once a second', async () => {
  const asked = vi.spyOn(pool(), 'query');
  const started = performance.now();
  const responses = await Promise.all(Array.from({ length: 50 }, ask));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const seconds = (performance.now() - started) / 1_000;
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + Math.floor(seconds));

  asked.mockClear();
  await until('it is looked at again', async () => (await ask()).ok && asked.mock.calls.length > 0);
});
