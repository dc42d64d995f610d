import { afterAll, expect, test, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';

// The delivery worker's interval never fires, so nothing is found by polling.
vi.useFakeTimers({ toFake: ['setInterval'] });
afterAll(() => void vi.useRealTimers());

const HOOKS = 100;
// Of ten attempts in flight, eight are for hooks that respond in time.
const running = withDeliveryService({ WORKER_CONCURRENCY: '10' });

const delivered = (hookIds: string[]) =>
  db().delivery.count({ where: { hookId: { in: hookIds }, outcome: 'delivered' } });

test('an event for many more hooks than a worker has room for reaches all of them without a poll', async () => {
  const connection = await makeConnection();
  const [first, ...others] = await Promise.all(Array.from({ length: HOOKS }, () => makeHook(connection)));
  if (!first) throw new Error('There are no hooks.');
  const hookIds = [first, ...others].map(({ id }) => id);
  const statements = await statementsOf(async () => {
    await makeDeliveries(first, 1);
    await until('all hooks received the event', async () => (await delivered(hookIds)) === HOOKS);
  });
  expect(running().receiver.received).toHaveLength(HOOKS);
  const reads = statements.flatMap(({ text, values }) =>
    text.includes('as a ("hookId" uuid, most int, busy uuid[])')
      ? (JSON.parse(String(values[1])) as { hookId: string }[])
      : [],
  );
  // Each hook is read once: that read shows that nothing more is due.
  expect(reads).toHaveLength(HOOKS);
});
