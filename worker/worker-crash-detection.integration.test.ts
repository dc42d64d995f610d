import { expect, test } from 'vitest';
import {
  allDelivered,
  arrivals,
  expectAtRest,
  makeHooks,
  sendToAll,
} from '#test/fixtures/drilled-deliveries.ts';
import { watchRenewals } from '#test/fixtures/lease-renewals.ts';
import { until } from '#test/fixtures/until.ts';
import { printFigures, withWorkerDrill } from '#test/fixtures/worker-drill.ts';
import { holdRequests } from '#test/servers/held-requests.ts';

const running = withWorkerDrill({ WORKER_CONCURRENCY: '40' });

/**
 * Maximum lease renewals of the other worker until the jobs of a killed one run again. The lease may have 3 s
 * left, which is 6 renewals. Without the check of the session it would take 20 s more, which is 40 renewals.
 */
const RENEWALS_MAX = 20;

async function hangTwenty() {
  const { receiver, startWorker } = running();
  const worker = await startWorker();
  const hooks = await makeHooks(4);
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 5);
  await until('all have been sent', () => requests.open() === 20);
  const sentAgain = () => until('all have been sent again', () => receiver.received.length >= 40);
  return { worker, hooks, requests, sentAgain };
}

test('another worker sends a killed worker’s deliveries in flight after its lease expires', async () => {
  // Start the other worker first and freeze it: on a busy machine a start may take longer than the 15 s of an
  // attempt.
  const other = await running().startWorker();
  other.freeze();
  const { worker, hooks, requests, sentAgain } = await hangTwenty();
  other.thaw();
  const renewals = await watchRenewals();
  const killedAt = performance.now();
  await worker.kill();
  await sentAgain();
  const counted = await renewals();
  const noticedMs = Math.round(performance.now() - killedAt);
  printFigures(`a killed worker's jobs ran again elsewhere after ${noticedMs} ms, ${counted} renewals`);
  expect(counted).toBeLessThan(RENEWALS_MAX);
  requests.letGo();
  await allDelivered(hooks, 20);
  expect(new Set(arrivals(running().receiver.received).values())).toEqual(new Set([2]));
  await expectAtRest(hooks, 20);
});

test('a restarted worker sends its killed predecessor’s deliveries in flight after the lease expires', async () => {
  const { worker, hooks, requests, sentAgain } = await hangTwenty();
  await worker.kill();
  await running().startWorker();
  const renewals = await watchRenewals();
  const backAt = performance.now();
  await sentAgain();
  const counted = await renewals();
  const noticedMs = Math.round(performance.now() - backAt);
  printFigures(`a killed worker's jobs ran again ${noticedMs} ms after it was back, ${counted} renewals`);
  expect(counted).toBeLessThan(RENEWALS_MAX);
  requests.letGo();
  await allDelivered(hooks, 20);
  expect(new Set(arrivals(running().receiver.received).values())).toEqual(new Set([2]));
  await expectAtRest(hooks, 20);
});
