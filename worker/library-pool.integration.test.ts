import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionPool } from '#server/core/database/db.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { libraryPool } from '#worker/library-pool.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a connection that the library gives back twice, as it does when its LISTEN fails while it ends, is given back once', async () => {
  const { pool } = libraryPool(() => undefined);
  const release = await new Promise<() => void>((resolve, reject) => {
    pool.connect((error, _client, giveBack) => (error ? reject(error) : resolve(giveBack)));
  });
  const idle = sessionPool().idleCount;
  release();
  expect(release).not.toThrow();
  expect(sessionPool().idleCount).toBe(idle + 1);
});
