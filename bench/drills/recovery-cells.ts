import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { RunningQueue } from '#bench/drills/recovery-queues.ts';
import type { Lab } from '#bench/lab/lab.ts';
import { endSessions } from '#test/faults/end-sessions.ts';

/** A queue under its load, and the database that it runs on. */
export type Victim = { queue: RunningQueue; lab: Lab; perSecond: number };

/**
 * A fault ends before the rate is measured. A pressure lasts while it is measured: `begin` returns what ends it. `offers`: the load under a
 * pressure, as a multiple of the rate before, and a burst besides.
 */
export type Cell =
  | { kind: 'fault'; run(victim: Victim): Promise<void> }
  | {
      kind: 'pressure';
      offers: { rate: number; burstSeconds: number };
      begin(victim: Victim): Promise<() => Promise<void>>;
    };

/** Sustained load, as a multiple of the rate before. */
const SUSTAINED = 1.5;
/** Size of the burst, in seconds of the rate before. */
const BURST_SECONDS = 10;

/** The faults and pressures of the public harness, shorter (bench/README.md). */
export const CELLS: Record<string, Cell> = {
  'server-restart': { kind: 'fault', run: restartServer },
  'sessions-killed': { kind: 'fault', run: killSessions },
  'pool-exhausted': { kind: 'fault', run: takeAllConnections },
  'worker-crash': { kind: 'fault', run: crashWorker },
  'repeated-kills': { kind: 'fault', run: killRepeatedly },
  'idle-transaction': { kind: 'pressure', offers: { rate: 1, burstSeconds: 0 }, begin: holdTransaction },
  'sustained-load': { kind: 'pressure', offers: { rate: SUSTAINED, burstSeconds: 0 }, begin: raiseRate },
  'active-readers': { kind: 'pressure', offers: { rate: 1, burstSeconds: 0 }, begin: startReaders },
  burst: { kind: 'pressure', offers: { rate: 1, burstSeconds: BURST_SECONDS }, begin: queueBurst },
};

const DOWN_MS = 5_000;
/** Duration of the other faults, in ms. */
const FAULT_MS = 10_000;
const SESSIONS_MS = 500;
const KILLS = 3;
const KILL_MS = 4_000;
const READERS = 4;
const READ_MS = 100;
/** Upper bound of the connections that the drill takes. PostgreSQL refuses earlier. */
const MOST_CONNECTIONS = 300;

async function restartServer({ lab }: Victim): Promise<void> {
  await lab.control.stop();
  await sleep(DOWN_MS);
  await lab.control.start();
}

/** Ends all sessions twice a second. */
async function killSessions({ queue }: Victim): Promise<void> {
  for (const end = performance.now() + FAULT_MS; performance.now() < end; await sleep(SESSIONS_MS)) {
    await endSessions(queue.databaseUrl);
  }
}

/** Holds every connection that PostgreSQL still accepts. */
async function takeAllConnections({ queue }: Victim): Promise<void> {
  const held: Client[] = [];
  const end = performance.now() + FAULT_MS;
  while (performance.now() < end) {
    const client = await connect(queue.databaseUrl).catch(() => undefined);
    if (client && held.length < MOST_CONNECTIONS) held.push(client);
    else await sleep(READ_MS);
  }
  await Promise.all(held.map((client) => client.end()));
}

async function crashWorker({ queue: { workers } }: Victim): Promise<void> {
  await workers[0]?.kill();
  await sleep(FAULT_MS);
  await workers[0]?.start();
}

async function killRepeatedly({ queue: { workers } }: Victim): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await workers[0]?.kill();
    await workers[0]?.start();
    await sleep(KILL_MS);
  }
}

/** Holds a transaction with an id, so that vacuum removes no row that was deleted since. */
async function holdTransaction({ queue }: Victim): Promise<() => Promise<void>> {
  const client = await connect(queue.databaseUrl);
  await client.query('begin isolation level repeatable read');
  await client.query('select pg_current_xact_id()');
  return () => client.end();
}

async function raiseRate({ queue, perSecond }: Victim): Promise<() => Promise<void>> {
  queue.load.setRate(perSecond * SUSTAINED);
  return async () => queue.load.setRate(perSecond);
}

/** Counts the rows of the busiest table again and again, on four connections with one snapshot each. */
async function startReaders({ queue }: Victim): Promise<() => Promise<void>> {
  let isOver = false;
  const read = async () => {
    const client = await connect(queue.databaseUrl);
    await client.query('begin isolation level repeatable read');
    while (!isOver) {
      await client.query(`select count(*) from ${queue.hotTable}`);
      await sleep(READ_MS);
    }
    await client.end();
  };
  const reading = Promise.all(Array.from({ length: READERS }, read));
  return async () => {
    isOver = true;
    await reading;
  };
}

async function queueBurst({ queue, perSecond }: Victim): Promise<() => Promise<void>> {
  await queue.load.burst(perSecond * BURST_SECONDS);
  return async () => undefined;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
