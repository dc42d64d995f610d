import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { checkAll, checkDeliveries } from '#bench/drills/check-changes.ts';
import { fillDrillStage } from '#bench/drills/drilled-service.ts';
import { pickUps, recordingSink } from '#bench/drills/pick-ups.ts';
import { startRefreshers } from '#bench/drills/refreshers.ts';
import { isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { machineMs } from '#bench/lab/clock.ts';
import { startOwnPostgres } from '#test/database/own-postgres.ts';
import { atScale, IS_DRILL } from '#test/faults/at-scale.ts';
import { countTimedOut, expectAtRest, sendAndHold, sendToAll } from '#test/faults/deliveries.ts';
import { type DatabaseFault, interruptDatabase } from '#test/faults/interrupt-database.ts';
import { allDelivered } from '#test/fixtures/deliveries.ts';
import { test as faultTest } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

const test = faultTest
  .override('settings', { WORKER_CONCURRENCY: '20' })
  .extend('postgres', { scope: 'file' }, async ({ settings: _ }, { onCleanup }) => {
    const postgres = await startOwnPostgres();
    onCleanup(postgres.end);
    return postgres;
  })
  .extend('database', { scope: 'file' }, ({ postgres: { url } }) => ({ url, drop: async () => undefined }));

test('no change, token or delivery is lost when PostgreSQL ends all sessions, restarts or crashes', async ({
  postgres,
  receiver,
  startServer,
  startWorker,
}) => {
  const stage = await fillDrillStage(postgres.url, { conversations: atScale(200, 2_000), hooks: HOOKS });
  const sink = recordingSink(receiver, RESPONDS_IN_MS);
  const servers = [await startServer(), await startServer()];
  const [first, second] = [await startWorker(), await startWorker()];
  const urls = () => servers.map(({ url }) => url);
  const writers = startWriters(stage, urls, PACE);
  const refreshers = startRefreshers(stage, urls);
  const made = () => writers.requested.filter(isAcknowledged).length;
  await until('deliveries arrive', async () => (await sink.report()).arrivals.length > atScale(20, 100));
  const calmUntil = machineMs();
  const returns: number[] = [];
  for (let number = 0; number < OUTAGES; number += 1) {
    await until('deliveries are in flight', () => sink.open() >= HOOKS);
    const fault = FAULTS[number % FAULTS.length] ?? 'sessions';
    const at = await interruptDatabase(fault, { url: postgres.url, control: postgres });
    returns.push(at);
    const before = made();
    await until('changes are made again', () => made() > before + 2);
    await until('events arrive again', async () =>
      (await sink.report()).arrivals.some((each) => each.at > at),
    );
    if (IS_DRILL) await sleep(EVERY_MS);
  }
  const requested = await writers.stop();
  const refreshes = await refreshers.stop();
  const { twice, ...outcome } = await checkAll({ sink, stage }, requested);
  const { calmMs, ...pickedUp } = await pickUps(sink, { calmUntil, returns, requested });
  printFigures(
    `${OUTAGES} outages of the database: ${requested.length} changes, ${outcome.expected} deliveries, ${twice} sent twice of at most ` +
      `${OUTAGES * IN_FLIGHT}, ${refreshes.length} refreshes; in ms: a change after ${pickedUp.changed.map(Math.round).join(', ')}, ` +
      `an event after ${pickedUp.arrived.map(Math.round).join(', ')}, without a fault ${Math.round(calmMs)}`,
  );
  expect(outcome).toMatchObject({ lost: [], half: [], missing: 0, queued: 0, sending: 0 });
  expect(twice).toBeLessThanOrEqual(OUTAGES * IN_FLIGHT);
  // A platform may treat any other status as a disconnection.
  expect(refreshes.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual(
    [],
  );
  expect(refreshes).not.toHaveLength(0);
  await expectAtRest(
    stage.hookIds.map((id) => ({ id })),
    outcome.expected,
  );
  // Subtract the delay that this machine has without a fault. A busy machine would measure itself.
  if (IS_DRILL) {
    expect(Math.max(...pickedUp.changed)).toBeLessThan(PICK_UP_MS + calmMs);
    expect(Math.max(...pickedUp.arrived)).toBeLessThan(PICK_UP_MS + calmMs);
  }

  // Each process continues.
  for (const { url } of servers) {
    const others = startWriters(stage, () => [url], { writers: 1 });
    await until('changes are made', () => others.requested.length >= 5);
    expect((await others.stop()).filter((each) => !isAcknowledged(each))).toEqual([]);
  }
  expect([first.hasEnded(), second.hasEnded()]).toEqual([false, false]);
  const stoppedAt = performance.now();
  expect(await first.stop()).toBe(0);
  if (IS_DRILL) expect(performance.now() - stoppedAt).toBeLessThan(STOP_MS);
  const others = startWriters(stage, urls);
  await until('changes are made', () => others.requested.length >= 20);
  await others.stop();
  expect(await checkDeliveries({ sink, stage })).toMatchObject({ missing: 0 });
});

test('a worker that stops while PostgreSQL restarts records the attempts in flight and exits', async ({
  postgres,
  receiver,
  createHooks,
  startWorker,
}) => {
  const worker = await startWorker();
  const hooks = await createHooks(2);
  const requests = await sendAndHold(receiver, { hooks, events: 5, inFlight: 10 });
  await postgres.stop();
  const exitCode = worker.stop();
  requests.release();
  await postgres.start();
  expect(await exitCode).toBe(0);
  await startWorker();
  await allDelivered(hooks, 10);
  expect(receiver.received.length).toBe(10);
  await expectAtRest(hooks, 10);
});

test('the results of attempts in flight survive an outage of 20 seconds, and nothing is sent twice', async ({
  postgres,
  receiver,
  createHooks,
  startWorker,
}) => {
  await startWorker();
  const hooks = await createHooks(10);
  const requests = await sendAndHold(receiver, { hooks, events: 5, inFlight: IN_FLIGHT / 2 });
  await postgres.stop();
  requests.release();
  await sleep(20_000);
  await postgres.start();
  await allDelivered(hooks, 50);
  expect(receiver.received.length).toBe(50 + (await countTimedOut(hooks)));
  await expectAtRest(hooks, 50);
});

// A backoff that had grown during the outage would delay deliveries.
test('a longer outage of the database does not delay deliveries after it', async ({
  postgres,
  receiver,
  createHooks,
  startWorker,
}) => {
  await startWorker();
  const hooks = await createHooks(2);
  const short: number[] = [];
  const long: number[] = [];
  /** Returns the time from the end of an outage to the first delivery, in ms. */
  const resume = async (awayMs: number) => {
    await postgres.stop();
    await sleep(awayMs);
    await postgres.start();
    const backAt = performance.now();
    const before = receiver.received.length;
    await sendToAll(hooks, 1);
    await until('deliveries resume', () => receiver.received.length > before);
    const resumedMs = performance.now() - backAt;
    await until('all have arrived', () => receiver.received.length === before + hooks.length);
    return resumedMs;
  };
  for (let round = 1; round <= 3; round += 1) {
    short.push(await resume(0));
    long.push(await resume(4_000));
  }
  await allDelivered(hooks, 12);
  const [shortMs, longMs] = [median(short), median(long)].map(Math.round);
  printFigures(`a database that is back: deliveries after ${shortMs} ms, after a longer outage ${longMs} ms`);
  expect(longMs).toBeLessThan(1_000 + 2 * (shortMs ?? 0));
});

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Deliveries in flight of two such workers. */
const IN_FLIGHT = 2 * 16;

/** Ended sessions are the most frequent fault, as in a failover of a managed database. */
const FAULTS: DatabaseFault[] = ['sessions', 'restart', 'sessions', 'crash', 'sessions'];
const OUTAGES = atScale(4, 14);
const RESPONDS_IN_MS = 200;
/** Pause after each recovery in the drill, in ms. */
const EVERY_MS = 2_000;
const PICK_UP_MS = 1_000;
/** Maximum duration of a graceful shutdown of a worker, in ms. */
const STOP_MS = 25_000;
/**
 * The tests keep more deliveries in flight. In the drill, changes are slower than the workers, even on a busy machine, so that
 * a new event never waits behind earlier ones.
 */
const PACE = { writers: 2, pauseMs: atScale(60, 150) };
/** For each of two events. */
const HOOKS = atScale(5, 2);
