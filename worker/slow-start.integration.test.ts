import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { createTestDatabase, type TestDatabase, withDatabase } from '#test/database/database.ts';
import { type SlowProxy, startSlowProxy } from '#test/faults/slow-proxy.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/servers/service-processes.ts';
import { setTestSettings } from '#test/servers/settings.ts';
import { startWorker } from '#worker/start-worker.ts';

const RETRIED = 'worker.start_retried';

let database: TestDatabase;
let proxy: SlowProxy;
const started: WorkerProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startSlowProxy();
  setTestSettings({ DATABASE_URL: database.url });
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.kill()));
  await db().workerLease.deleteMany();
});
afterAll(async () => {
  await closeDatabase();
  await proxy.stop();
  await database.drop();
});

async function startBehindProxy(url = database.url): Promise<WorkerProcess> {
  const worker = await startWorkerProcess({ DATABASE_URL: proxy.url(url), LOG_LEVEL: 'warn' });
  started.push(worker);
  return worker;
}

test('a worker starts although each connection to the database takes three seconds', async () => {
  proxy.delay(3_000);
  const worker = await startBehindProxy();
  expect(await db().workerLease.count()).toBe(4);
  expect(worker.hasEnded()).toBe(false);
});

test('a worker that starts before the database accepts connections retries until it does, and logs each attempt', async () => {
  proxy.refuse();
  const before = proxy.connections();
  const starting = startBehindProxy();
  // The `await` below reports a failure.
  starting.catch(() => undefined);
  await until('connections were refused', () => proxy.connections() - before > 20);
  proxy.delay(0);
  const worker = await starting;
  expect(worker.output()).toContain(RETRIED);
  expect(await db().workerLease.count()).toBe(4);
});

test('a worker whose database stays unreachable gives up after its timeout, so that a supervisor notices', async () => {
  proxy.refuse();
  await closeDatabase();
  setTestSettings({ DATABASE_URL: proxy.url(database.url) });
  const startedAt = performance.now();
  try {
    await expect(startWorker(undefined, { startMs: 1_000 })).rejects.toThrow(
      /Connection terminated|ECONNRESET/,
    );
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  } finally {
    await closeDatabase();
    setTestSettings({ DATABASE_URL: database.url });
  }
});

test('a worker whose database does not exist exits after the first attempt', async () => {
  proxy.delay(0);
  const failed = await startBehindProxy(withDatabase(database.url, 'inbox_test_missing')).catch(String);
  expect(failed).toContain('database "inbox_test_missing" does not exist');
  expect(failed).not.toContain(RETRIED);
});
