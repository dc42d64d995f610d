import { expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { keepConnections } from '#server/http/get-ready.ts';
import { warmUp } from '#server/http/warm-up.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();

test('every connection has prepared the platform’s most frequent statements before the first request', async () => {
  await keepConnections();
  await warmUp();
  const { max } = pool().options;
  const clients = await Promise.all(Array.from({ length: max }, () => pool().connect()));
  try {
    for (const client of clients) {
      const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements');
      const names = rows.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['consume-limits', 'find-callers', 'find-code', 'replace-access-token']),
      );
    }
  } finally {
    for (const client of clients) client.release();
  }
});
