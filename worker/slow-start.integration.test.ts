import { expect } from 'vitest';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { withDatabase } from '#test/database/database.ts';
import { startSlowProxy } from '#test/faults/slow-proxy.ts';
import { test as faultTest } from '#test/fixtures/fault-test.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';
import { startWorker as startWorkerHere } from '#worker/start-worker.ts';

const test = faultTest.extend('proxy', { scope: 'file' }, async ({ environment: _ }, { onCleanup }) => {
  const proxy = await startSlowProxy();
  onCleanup(proxy.stop);
  return proxy;
});

test('a worker starts although each connection to the database takes three seconds', async ({
  database,
  proxy,
  startWorker,
}) => {
  proxy.delay(3_000);
  const worker = await startWorker({ DATABASE_URL: proxy.url(database.url) });
  expect(worker.poolIds).toHaveLength(4);
  expect(worker.hasEnded()).toBe(false);
});

test('a worker that starts before the database accepts connections retries until it does, and logs each attempt', async ({
  database,
  proxy,
  startWorker,
}) => {
  proxy.refuse();
  const before = proxy.connections();
  const starting = startWorker({ DATABASE_URL: proxy.url(database.url) });
  // The `await` below reports a failure.
  starting.catch(() => undefined);
  await until('connections were refused', () => proxy.connections() - before > 20);
  proxy.delay(0);
  const worker = await starting;
  expect(worker.output()).toContain(RETRIED);
  expect(worker.poolIds).toHaveLength(4);
});

test('a worker whose database stays unreachable gives up after its timeout, so that a supervisor notices', async ({
  database,
  proxy,
}) => {
  proxy.refuse();
  await closeDatabase();
  setTestSettings({ DATABASE_URL: proxy.url(database.url) });
  const startedAt = performance.now();
  try {
    await expect(startWorkerHere(undefined, { startMs: 1_000 })).rejects.toThrow(
      /Connection terminated|ECONNRESET/,
    );
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  } finally {
    await closeDatabase();
    setTestSettings({ DATABASE_URL: database.url });
  }
});

test('a worker whose database does not exist exits after the first attempt', async ({
  database,
  proxy,
  startWorker,
}) => {
  proxy.delay(0);
  const missing = withDatabase(database.url, 'inbox_test_missing');
  const failed = await startWorker({ DATABASE_URL: proxy.url(missing) }).catch(String);
  expect(failed).toContain('database "inbox_test_missing" does not exist');
  expect(failed).not.toContain(RETRIED);
});

const RETRIED = 'worker.start_retried';
