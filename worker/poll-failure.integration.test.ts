import { expect } from 'vitest';
import { sendToAll } from '#test/faults/deliveries.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import { watchRenewals } from '#test/faults/lease-renewals.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '20' }));

/**
 * Failures to wait for, and the maximum lease renewals until then. Failures occur every 100 ms and renewals
 * every 500 ms: 4 on a quiet machine and 14 on a very busy one. One attempt per second would take 30.
 */
const FAILURES = 16;
const RENEWALS_MAX = 24;

test('a failed fan-out is retried immediately, not at the next poll a second later', async ({
  createHooks,
  startWorker,
}) => {
  const worker = await startWorker();
  const hooks = await createHooks(1);
  await sendToAll(hooks, 1);
  await allDelivered(hooks, 1);
  const countFailures = () => worker.output().split('run.failed').length - 1;
  const before = countFailures();
  const restore = await failWrites(['events_to_fan_out'], {
    on: 'delete',
    message: 'terminating connection due to administrator command',
    code: '57P01',
  });
  await sendToAll(hooks, 1);
  await until('the fan-out fails', () => countFailures() > before);
  const renewals = await watchRenewals();
  await until('the fan-out has failed several times', () => countFailures() >= before + FAILURES);
  const counted = await renewals();
  await restore();
  await allDelivered(hooks, 2);
  printFigures(`a fan-out that fails: tried ${FAILURES} times within ${counted} lease renewals`);
  expect(counted).toBeLessThan(RENEWALS_MAX);
});
