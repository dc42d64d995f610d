import { readdir, readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import {
  makeStage,
  readMetric,
  startChanging,
  startWorker,
  untilRecorded,
  withEngine,
} from '#bench/lab/engine.ts';
import type { Lab } from '#bench/lab/lab.ts';
import { startMeasured } from '#bench/lab/measured-program.ts';
import { startRequestLoad } from '#bench/lab/request-load.ts';
import { fillStage } from '#bench/lab/request-stage.ts';
import { ROWS, type Row } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { pool } from '#server/core/database/pools.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 20;
const CHANGES = scaled(400);
const WARM_CHANGES = scaled(100);
const KINDS = {
  read: ROWS['GET /me'],
  search: ROWS['GET /conversations/search'],
  change: ROWS['PATCH a status'],
  refresh: ROWS['token: refresh'],
} satisfies Record<string, Row>;

/**
 * Measures the processor time of each kind of work for the service and PostgreSQL, and prints the table of
 * docs/scaling.md. A busy machine measures higher costs, so its load is printed too.
 */
export async function benchCosts(): Promise<void> {
  await withEngine(async ({ lab, sink }) => {
    const { delivery, eventBytes, deliveryBytes } = await measureDeliveries(lab, sink);
    const costs = { ...(await measureRequests(lab)), delivery };
    const load = (loadavg()[0] ?? 0).toFixed(1);
    console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, load ${load}\n`);
    console.log('| work | server or worker | PostgreSQL |\n|-|-|-|');
    for (const [work, { processMs, postgresMs }] of Object.entries(costs))
      console.log(`| ${work} | ${processMs} | ${postgresMs} |`);
    console.log(`\nHistory: ${eventBytes} bytes an event, ${deliveryBytes} a delivery with its attempt.`);
  });
}

async function measureRequests(lab: Lab) {
  const stage = await fillStage(lab.url, scaled(10_000));
  await using load = await startRequestLoad();
  await using server = await startMeasured('test/servers/serve.ts');
  const measure = async (row: Row) => {
    const once = async () => {
      const requests = await row.make(stage, lab.url);
      await queryPostgres(lab.url, 'truncate rate_limits');
      await load.run({ ...row, url: server.url, requests });
      return requests.length;
    };
    // Warm-up: compiles code and prepares statements.
    await once();
    await server.work();
    const before = await postgresCpuMs(lab.folder);
    const count = await once();
    const { cpuMs } = await server.work();
    return pairOf(cpuMs, (await postgresCpuMs(lab.folder)) - before, count);
  };
  // Refresh runs last: a refresh invalidates the previous access token.
  return {
    read: await measure(KINDS.read),
    search: await measure(KINDS.search),
    change: await measure(KINDS.change),
    refresh: await measure(KINDS.refresh),
  };
}

/** Measures changes with and without hooks: the difference is the cost of deliveries. */
async function measureDeliveries(lab: Lab, sink: Sink) {
  const port = `${await findFreePort()}`;
  await using _worker = await startWorker({ METRICS_PORT: port });
  const alone = await makeStage([]);
  const hooked = await makeStage(hookPaths(HOOKS));
  const run = async (stage: typeof alone) => {
    await using load = await startChanging(stage);
    const change = async (changes: number) => {
      await sink.reset(changes * stage.hookIds.length);
      await load.run({ changes });
      await sink.complete();
      await untilRecorded(stage.hookIds);
    };
    await change(WARM_CHANGES);
    const before = { postgres: await postgresCpuMs(lab.folder), worker: await workerCpuMs(port) };
    await change(CHANGES);
    return {
      postgresMs: (await postgresCpuMs(lab.folder)) - before.postgres,
      workerMs: (await workerCpuMs(port)) - before.worker,
    };
  };
  const without = await run(alone);
  const beside = await run(hooked);
  const deliveries = CHANGES * HOOKS;
  const events = await bytesOf('events');
  const history = (await bytesOf('deliveries')).bytes + (await bytesOf('attempts')).bytes;
  const { rows } = await pool().query<{ count: number }>('select count(*)::int as count from deliveries');
  return {
    delivery: pairOf(beside.workerMs - without.workerMs, beside.postgresMs - without.postgresMs, deliveries),
    eventBytes: Math.round(events.bytes / events.rows),
    deliveryBytes: Math.round(history / (rows[0]?.count ?? 1)),
  };
}

function pairOf(processMs: number, postgresMs: number, count: number) {
  const each = (ms: number) => Number((ms / count).toFixed(3));
  return { processMs: each(processMs), postgresMs: each(postgresMs) };
}

/** Returns the size of a table with its partitions and indexes, in bytes, and its number of rows. */
async function bytesOf(table: string): Promise<{ bytes: number; rows: number }> {
  const { rows } = await pool().query<{ bytes: number; rows: number }>(
    `select (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('${table}')) as bytes,
       (select count(*)::int from ${table}) as rows`,
  );
  return rows[0] ?? { bytes: 0, rows: 1 };
}

async function workerCpuMs(port: string): Promise<number> {
  return (await readMetric(port, 'process_cpu_seconds_total')) * 1_000;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Returns the processor time that a PostgreSQL has used since its start, in ms, including its finished
 * processes. Linux only.
 * @param folder the lab's data folder
 */
async function postgresCpuMs(folder: string): Promise<number> {
  const postmaster = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n', 1)[0];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The bracketed name may contain anything. After it come the state and the parent. From the 12th field
    // on: user and system time of the process, then of its finished children.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    const [own, ofEnded] = [11, 13].map((at) => Number(fields[at]) + Number(fields[at + 1]));
    if (pid === postmaster) ticks += (own ?? 0) + (ofEnded ?? 0);
    else if (fields[1] === postmaster) ticks += own ?? 0;
  }
  return ticks * TICK_MS;
}
