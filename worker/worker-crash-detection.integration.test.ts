import { expect } from 'vitest';
import { expectAtRest, sendAndHold } from '#test/faults/deliveries.ts';
import { arrivals } from '#test/faults/delivery-keys.ts';
import { watchRenewals } from '#test/faults/lease-renewals.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import { test as baseTest, type FaultParts } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '40' }));

/**
 * Maximum lease renewals of the other worker until the jobs of a killed one run again. The lease may have 3 s
 * left, which is 6 renewals. Without the check of the session it would take 20 s more, which is 40 renewals.
 */
const RENEWALS_MAX = 20;

test('another worker sends a killed worker’s deliveries in flight after its lease expires', async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  // Start the other worker first and freeze it: on a busy machine a start may take longer than the 15 s of an
  // attempt.
  const other = await startWorker();
  other.freeze();
  const { worker, hooks, requests, sentAgain } = await hangTwenty({ receiver, createHooks, startWorker });
  other.thaw();
  const renewals = await watchRenewals();
  const killedAt = performance.now();
  await worker.kill();
  await sentAgain();
  const counted = await renewals();
  const noticedMs = Math.round(performance.now() - killedAt);
  printFigures(`a killed worker's jobs ran again elsewhere after ${noticedMs} ms, ${counted} renewals`);
  expect(counted).toBeLessThan(RENEWALS_MAX);
  requests.release();
  await allDelivered(hooks, 20);
  expect(new Set(arrivals(receiver.received).values())).toEqual(new Set([2]));
  await expectAtRest(hooks, 20);
});

test('a restarted worker sends its killed predecessor’s deliveries in flight after the lease expires', async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  const { worker, hooks, requests, sentAgain } = await hangTwenty({ receiver, createHooks, startWorker });
  await worker.kill();
  await startWorker();
  const renewals = await watchRenewals();
  const backAt = performance.now();
  await sentAgain();
  const counted = await renewals();
  const noticedMs = Math.round(performance.now() - backAt);
  printFigures(`a killed worker's jobs ran again ${noticedMs} ms after it was back, ${counted} renewals`);
  expect(counted).toBeLessThan(RENEWALS_MAX);
  requests.release();
  await allDelivered(hooks, 20);
  expect(new Set(arrivals(receiver.received).values())).toEqual(new Set([2]));
  await expectAtRest(hooks, 20);
});

async function hangTwenty({ receiver, createHooks, startWorker }: FaultParts) {
  const worker = await startWorker();
  const hooks = await createHooks(4);
  const requests = await sendAndHold(receiver, { hooks, events: 5, inFlight: 20 });
  const sentAgain = () => until('all have been sent again', () => receiver.received.length >= 40);
  return { worker, hooks, requests, sentAgain };
}
