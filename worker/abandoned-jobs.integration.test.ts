import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#server/db.ts';
import { endedDelivery, makeDeliveries, makeHook } from '#test/deliveries.ts';
import { makeConnection } from '#test/factories.ts';
import { startReceiver } from '#test/receiver.ts';
import { PLATFORM, startTestService, type TestService } from '#test/service.ts';
import { startWorker } from '#worker/start-worker.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let service: TestService;

beforeAll(async () => {
  receiver = await startReceiver(PLATFORM.hooksHost);
  service = await startTestService({
    HOOKS_CONNECT_TO: receiver.connectTo,
    HOOKS_CA_FILE: receiver.caFile,
    WORKER_ALONE: '1',
  });
});

afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

test('what a killed worker left locked is worked off by the next one, when it is alone', async () => {
  const hook = await makeHook(await makeConnection());
  await makeDeliveries(hook, 1);
  const locked = await db().$executeRaw`
    update graphile_worker._private_jobs set locked_by = 'a killed worker', locked_at = now()`;
  expect(locked).toBeGreaterThan(0);
  const worker = await startWorker();
  try {
    expect(await endedDelivery(hook.id)).toMatchObject({ outcome: 'delivered', attempts: 1 });
  } finally {
    await worker.stop();
  }
});
