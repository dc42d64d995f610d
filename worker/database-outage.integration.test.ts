import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { apiClient } from '#test/clients/api-client.ts';
import { startOwnPostgres } from '#test/database/own-postgres.ts';
import { countTimedOut, expectAtRest, sendAndHold, sendToAll } from '#test/faults/deliveries.ts';
import { arrivals } from '#test/faults/delivery-keys.ts';
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

test('all deliveries arrive despite restarts, crashes and dropped connections of PostgreSQL, and all processes continue', async ({
  postgres,
  receiver,
  connection,
  createHooks,
  startServer,
  startWorker,
}) => {
  const server = await startServer();
  const workers = [await startWorker(), await startWorker()];
  const hooks = await createHooks(10);
  receiver.respond(async () => {
    await sleep(200);
    return { status: 200 };
  });
  await sendToAll(hooks, DELIVERIES / hooks.length);
  const faults: DatabaseFault[] = ['restart', 'crash', 'sessions', 'sessions'];
  for (const [number, fault] of faults.entries()) {
    await until('deliveries are in flight', () => receiver.received.length > 50 * (number + 1));
    await interruptDatabase(fault, { url: postgres.url, control: postgres });
  }
  await allDelivered(hooks, DELIVERIES);
  const duplicates = receiver.received.length - arrivals(receiver.received).size;
  const duplicatesMax = faults.length * IN_FLIGHT;
  printFigures(
    `a lost database: ${DELIVERIES} deliveries, ${duplicates} duplicates of at most ${duplicatesMax}`,
  );
  expect(duplicates).toBeLessThanOrEqual(duplicatesMax);
  await expectAtRest(hooks, DELIVERIES);

  const api = apiClient(server.url, connection.accessToken);
  const created = await api('POST', '/conversations', {
    to_email: 'ada@example.com',
    to_name: 'Ada Lovelace',
    subject: 'Your order',
    content: 'Hello Ada',
  });
  expect(created.status).toBe(201);
  await allDelivered(hooks, DELIVERIES + hooks.length);
  for (const worker of workers) expect(worker.hasEnded()).toBe(false);
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

// A backoff that had grown during the outage would delay deliveries. `npm run drill -- database` checks on an
// idle machine that deliveries resume within a second.
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

const DELIVERIES = 300;
