import { expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { allDelivered, makeHooks, sendToAll } from '#test/fixtures/drilled-deliveries.ts';
import { watchRenewals } from '#test/fixtures/lease-renewals.ts';
import { until } from '#test/fixtures/until.ts';
import { printFigures, withWorkerDrill } from '#test/fixtures/worker-drill.ts';

const running = withWorkerDrill({ WORKER_CONCURRENCY: '20' });

/**
 * Makes the fan-out fail as if the database cut the connection.
 * @returns a function that restores it
 */
async function breakFanOut(): Promise<() => Promise<void>> {
  await pool().query(`create or replace function cut_off() returns trigger language plpgsql as $$
    begin raise 'terminating connection due to administrator command' using errcode = '57P01'; end $$`);
  await pool().query(
    `create trigger cut_off before delete on events_to_fan_out for each statement execute function cut_off()`,
  );
  return async () => void (await pool().query('drop trigger cut_off on events_to_fan_out'));
}

/**
 * Failures to wait for, and the maximum lease renewals until then. Failures occur every 100 ms and renewals
 * every 500 ms: 4 on a quiet machine and 14 on a very busy one. One attempt per second would take 30.
 */
const FAILURES = 16;
const RENEWALS_MAX = 24;

test('a failed fan-out is retried immediately, not at the next poll a second later', async () => {
  const { startWorker } = running();
  const worker = await startWorker();
  const hooks = await makeHooks(1);
  await sendToAll(hooks, 1);
  await allDelivered(hooks, 1);
  const countFailures = () => worker.output().split('run.failed').length - 1;
  const before = countFailures();
  const mend = await breakFanOut();
  await sendToAll(hooks, 1);
  await until('the fan-out fails', () => countFailures() > before);
  const renewals = await watchRenewals();
  await until('the fan-out has failed several times', () => countFailures() >= before + FAILURES);
  const counted = await renewals();
  await mend();
  await allDelivered(hooks, 2);
  printFigures(`a fan-out that fails: tried ${FAILURES} times within ${counted} lease renewals`);
  expect(counted).toBeLessThan(RENEWALS_MAX);
});
