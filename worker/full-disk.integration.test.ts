import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { db, pool } from '#server/ground/db.ts';
import { allDelivered, arrivals, expectAtRest, makeHooks, sendToAll } from '#test/drilled-deliveries.ts';
import { printFigures } from '#test/print-figures.ts';
import { until } from '#test/until.ts';
import { withWorkerDrill } from '#test/worker-drill.ts';

const running = withWorkerDrill({ WORKER_CONCURRENCY: '20' });

const DELIVERIES = 600;
/** What the engine writes: on a full disk all of it fails, and reading goes on. */
const WRITTEN = ['deliveries', 'attempts', 'drains', 'events_to_fan_out', 'worker_leases'];

/** Has every write of the engine fail as PostgreSQL fails it when the disk is full. @returns what makes room again */
async function fillDisk(): Promise<() => Promise<void>> {
  const each = (statement: (table: string) => string) => pool().query(WRITTEN.map(statement).join(';'));
  await pool().query(`create or replace function full_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await each(
    (table) => `create trigger full_disk before insert or update or delete on ${table}
    for each statement execute function full_disk()`,
  );
  return async () => void (await each((table) => `drop trigger full_disk on ${table}`));
}

test('a disk that is full until all leases are lost costs no delivery, and 5 seconds after it has room they go on', {
  timeout: 90_000,
}, async () => {
  const { receiver, startWorker } = running();
  const workers = [await startWorker(), await startWorker()];
  const hooks = await makeHooks(20);
  receiver.respond(async () => {
    await sleep(50);
    return { status: 200 };
  });
  await sendToAll(hooks, DELIVERIES / hooks.length);
  await until('deliveries are under way', () => receiver.received.length > 60);

  const makeRoom = await fillDisk();
  await until('every lease is lost', async () => {
    const { rows } = await pool().query('select 1 from worker_leases where expires_at > now()');
    return rows.length === 0;
  });
  const arrived = arrivals(receiver.received);
  const recorded = await db().attempt.count({
    where: { delivery: { hookId: { in: hooks.map(({ id }) => id) } } },
  });
  const unrecorded = arrived.size - recorded;
  await makeRoom();
  const roomAt = performance.now();
  await until('deliveries go on', () => arrivals(receiver.received).size > arrived.size);
  const resumedMs = performance.now() - roomAt;
  await allDelivered(hooks, DELIVERIES);

  const duplicates = receiver.received.length - arrivals(receiver.received).size;
  printFigures(
    `a full disk: ${DELIVERIES} deliveries, ${duplicates} sent twice of at most ${unrecorded} that were not recorded, ` +
      `resumed after ${Math.round(resumedMs)} ms`,
  );
  expect(arrivals(receiver.received).size).toBe(DELIVERIES);
  expect(duplicates).toBeLessThanOrEqual(unrecorded);
  expect(resumedMs).toBeLessThan(5_000);
  await expectAtRest(hooks, DELIVERIES);
  for (const worker of workers) expect(worker.hasEnded()).toBe(false);
});
