import { expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { keepConnections } from '#server/http/get-ready.ts';
import { setTestSettings } from '#test/servers/settings.ts';

test('a server also starts while the database is unreachable', async () => {
  setTestSettings();
  await keepConnections();
  expect(pool().totalCount).toBe(0);
});
