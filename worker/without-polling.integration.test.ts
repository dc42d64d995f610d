import { afterAll, beforeAll, expect, vi } from 'vitest';
import { statementsOf } from '#test/database/statements.ts';
import { allDelivered, hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';

// Workers poll for due hooks by `setInterval`. The fake one never fires.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));

afterAll(() => void vi.useRealTimers());

// Eight of ten attempts in flight are for hooks that respond in time.
const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '10' }));

test('hundreds of deliveries of one hook are sent without a poll', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  await makeDeliveries(hook, 400);
  await allDelivered([hook], 400);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  expect(receiver.received.length).toBe(400);
  expect((await hookCounts(hook.id)).unended).toBe(0);
});

test('an event for many more hooks than a worker has room for reaches all of them without a poll', async ({
  connection,
  receiver,
}) => {
  const [first, ...others] = await Promise.all(Array.from({ length: HOOKS }, () => makeHook(connection)));
  if (!first) throw new Error('There are no hooks.');
  const statements = await statementsOf(async () => {
    await makeDeliveries(first, 1);
    await allDelivered([first, ...others], HOOKS);
  });
  expect(receiver.received).toHaveLength(HOOKS);
  const reads = statements.flatMap(({ text, values }) =>
    text.includes('as a ("hookId" uuid, most int, busy uuid[])')
      ? (JSON.parse(String(values[1])) as { hookId: string }[])
      : [],
  );
  // No hook is read twice, as each read shows that nothing more is due. Hooks that the fan-out claimed need no read.
  const read = reads.map(({ hookId }) => hookId);
  expect(new Set(read).size).toBe(read.length);
  expect(read.length).toBeLessThan(HOOKS);
});

const HOOKS = 100;
