import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { expectAtRest, sendToAll } from '#test/faults/deliveries.ts';
import { arrivals } from '#test/faults/delivery-keys.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import { watchRenewals } from '#test/faults/lease-renewals.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ WORKER_CONCURRENCY: '20' }));

const DELIVERIES = 600;

test('a disk that is full until all leases are lost loses no delivery, and deliveries resume soon after', async ({
  receiver,
  createHooks,
  startWorker,
}) => {
  const workers = [await startWorker(), await startWorker()];
  const hooks = await createHooks(20);
  // Respond to requests in flight after the disk is full: a fast machine would record all of them before.
  const filled = Promise.withResolvers<void>();
  receiver.respond(async () => {
    if (receiver.received.length > 60) await filled.promise;
    return { status: 200 };
  });
  await sendToAll(hooks, DELIVERIES / hooks.length);
  await until('deliveries are in flight', () => receiver.received.length > 60);

  const makeRoom = await failWrites(WRITTEN, {
    message: 'could not extend file: No space left on device',
    code: '53100',
  });
  filled.resolve();
  await until('every lease is lost', async () => {
    const { rows } = await pool().query('select 1 from worker_leases where expires_at > now()');
    return rows.length === 0;
  });
  const arrived = arrivals(receiver.received);
  const countRecorded = () =>
    db().attempt.count({ where: { delivery: { hookId: { in: hooks.map(({ id }) => id) } } } });
  const recorded = await countRecorded();
  const unrecorded = arrived.size - recorded;
  const renewals = await watchRenewals();
  await makeRoom();
  const roomAt = performance.now();
  await until('attempts are recorded again', async () => (await countRecorded()) > recorded);
  const counted = await renewals();
  const resumedMs = performance.now() - roomAt;
  await allDelivered(hooks, DELIVERIES);

  const duplicates = receiver.received.length - arrivals(receiver.received).size;
  printFigures(
    `a full disk: ${DELIVERIES} deliveries, ${duplicates} sent twice of at most ${unrecorded} that were not recorded, ` +
      `resumed after ${Math.round(resumedMs)} ms, ${counted} renewals`,
  );
  expect(arrivals(receiver.received).size).toBe(DELIVERIES);
  expect(duplicates).toBeLessThanOrEqual(unrecorded);
  expect(counted).toBeLessThan(RENEWALS_MAX);
  await expectAtRest(hooks, DELIVERIES);
  for (const worker of workers) expect(worker.hasEnded()).toBe(false);
});

/** Tables that the engine writes. On a full disk every write fails, and reads continue. */
const WRITTEN = ['deliveries', 'attempts', 'hook_queue', 'events_to_fan_out', 'worker_leases'];

/**
 * Maximum lease renewals of both workers from free disk space until an attempt is recorded. A quiet machine
 * takes fewer than 4. 20 renewals are 5 s.
 */
const RENEWALS_MAX = 20;
