import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { type OwnPostgres, startOwnPostgres } from '#test/database/own-postgres.ts';
import {
  allDelivered,
  arrivals,
  countTimedOut,
  expectAtRest,
  makeHooks,
  sendToAll,
} from '#test/fixtures/drilled-deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';
import { printFigures, withWorkerDrill } from '#test/fixtures/worker-drill.ts';
import { holdRequests } from '#test/servers/held-requests.ts';
import { type ServerProcess, startServerProcess } from '#test/servers/service-processes.ts';

let postgres: OwnPostgres;
const running = withWorkerDrill({ WORKER_CONCURRENCY: '20' }, async () => {
  postgres = await startOwnPostgres();
  return { url: postgres.url, drop: postgres.end };
});
let server: ServerProcess | undefined;
beforeAll(async () => {
  server = await startServerProcess();
});
afterAll(() => server?.stop());

/** Deliveries in flight of two such workers. */
const AT_ONCE = 2 * 16;
const DELIVERIES = 300;

async function restart(): Promise<void> {
  await postgres.stop();
  await postgres.start();
}

async function crash(): Promise<void> {
  await postgres.stop('immediate');
  await postgres.start();
}

async function cutAllConnections(): Promise<void> {
  await pool().query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

test('all deliveries arrive despite restarts, crashes and dropped connections of PostgreSQL, and all processes continue', async () => {
  const { receiver, startWorker } = running();
  const workers = [await startWorker(), await startWorker()];
  const connection = await makeConnection();
  const hooks = await makeHooks(10, connection);
  receiver.respond(async () => {
    await sleep(200);
    return { status: 200 };
  });
  await sendToAll(hooks, DELIVERIES / hooks.length);
  const disruptions = [restart, crash, cutAllConnections, cutAllConnections];
  for (const [number, disrupt] of disruptions.entries()) {
    await until('deliveries are in flight', () => receiver.received.length > 50 * (number + 1));
    await disrupt();
  }
  await allDelivered(hooks, DELIVERIES);
  const duplicates = receiver.received.length - arrivals(receiver.received).size;
  const duplicatesMax = disruptions.length * AT_ONCE;
  printFigures(
    `a lost database: ${DELIVERIES} deliveries, ${duplicates} duplicates of at most ${duplicatesMax}`,
  );
  expect(duplicates).toBeLessThanOrEqual(duplicatesMax);
  await expectAtRest(hooks, DELIVERIES);

  const api = apiClient(server?.url ?? '', connection.accessToken);
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

test('a worker that stops while PostgreSQL restarts records the attempts in flight and exits', async () => {
  const { receiver, startWorker } = running();
  const worker = await startWorker();
  const hooks = await makeHooks(2);
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 5);
  await until('all are in flight', () => requests.open() === 10);
  await postgres.stop();
  const exitCode = worker.stop();
  requests.letGo();
  await postgres.start();
  expect(await exitCode).toBe(0);
  await startWorker();
  await allDelivered(hooks, 10);
  expect(receiver.received.length).toBe(10);
  await expectAtRest(hooks, 10);
});

test('the results of attempts in flight survive an outage of 20 seconds, and nothing is sent twice', async () => {
  const { receiver, startWorker } = running();
  await startWorker();
  const hooks = await makeHooks(10);
  const requests = holdRequests(receiver);
  await sendToAll(hooks, 5);
  await until('all room is in use', () => requests.open() >= AT_ONCE / 2);
  await postgres.stop();
  requests.letGo();
  await sleep(20_000);
  await postgres.start();
  await allDelivered(hooks, 50);
  expect(receiver.received.length).toBe(50 + (await countTimedOut(hooks)));
  await expectAtRest(hooks, 50);
});

/**
 * Restarts PostgreSQL.
 * @returns the time from the recovery to the first delivery, in ms
 */
async function resume(hooks: Hook[], awayMs: number): Promise<number> {
  const { receiver } = running();
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
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

// A backoff that had grown during the outage would delay deliveries. `npm run drill -- database` checks on an
// idle machine that deliveries resume within a second.
test('a longer outage of the database does not delay deliveries after it', async () => {
  await running().startWorker();
  const hooks = await makeHooks(2);
  const short: number[] = [];
  const long: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    short.push(await resume(hooks, 0));
    long.push(await resume(hooks, 4_000));
  }
  await allDelivered(hooks, 12);
  const [shortMs, longMs] = [median(short), median(long)].map(Math.round);
  printFigures(`a database that is back: deliveries after ${shortMs} ms, after a longer outage ${longMs} ms`);
  expect(longMs).toBeLessThan(1_000 + 2 * (shortMs ?? 0));
});
