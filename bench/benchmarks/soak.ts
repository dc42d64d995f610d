import { deliverAll } from '#bench/benchmarks/deliver.ts';
import { compare } from '#bench/compare.ts';
import {
  makeStage,
  readMemory,
  startChanging,
  startWorker,
  untilRecorded,
  withEngine,
} from '#bench/lab/engine.ts';
import { latencies } from '#bench/lab/measure-hooks.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { pool } from '#server/core/database/pools.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 50;
const MINUTES = Number(process.env.BENCH_MINUTES ?? 20);
/** Deliveries a second. By default half of what `deliver` reaches. */
const RATE = Number(process.env.BENCH_RATE ?? 0);
/** Number of minutes to compare: taken after the first minute, and from the end. */
const COMPARED = Math.max(1, Math.floor((MINUTES - 1) / 5));
/** Minutes of the soaked and of a new installation in turn. */
const PAIRS = 3;
/**
 * Tables that grow by design: history is dropped by the day, the timeline stays. Their bytes per event are
 * compared instead of their size.
 */
const HISTORY = /^(events|deliveries|attempts|timeline_entries)(_\d{8}|_default)?$/;

type Use = (url: string) => Promise<void>;

/** A worker, its load and its database. `pauseMs`: pause between two changes. */
type Installation = Awaited<ReturnType<typeof startInstallation>>;

type Minute = { p99: number; memory: number; tables: number; history: number; dead: number; rate: number };

/**
 * Runs a worker at half the rate of `deliver` for twenty minutes (`BENCH_RATE`, `BENCH_MINUTES`). Compares memory, table sizes and dead rows of the last
 * minutes with the first ones. Then compares p99 with that of a new installation, in turn, so that other load on the machine slows both.
 */
export async function benchSoak(): Promise<void> {
  await withEngine(async ({ lab, sink, use }) => {
    const rate = RATE || (await deliverAll(await makeStage(hookPaths(HOOKS)), sink, scaled(100))) / 2;
    const everyMs = 1_000 / (rate / HOOKS);
    await using stack = new AsyncDisposableStack();
    const soaked = await startInstallation(lab.url, use, { everyMs, stack });
    const minutes: Minute[] = [];
    while (minutes.length < MINUTES) minutes.push(await runMinute(soaked, { sink, use, everyMs }));
    await compareEnds(minutes);

    const fresh = await startInstallation(await lab.serviceDatabase('fresh'), use, { everyMs, stack });
    await runMinute(fresh, { sink, use, everyMs });
    await compare(`after a soak of ${MINUTES} minutes`, {
      rounds: PAIRS,
      figures: { p99: { unit: 'ms', bars: [{ to: 'a new one', atMost: 1.1 }] } },
      sides: [
        { name: 'the soaked installation', measure: () => runMinute(soaked, { sink, use, everyMs }) },
        { name: 'a new one', measure: () => runMinute(fresh, { sink, use, everyMs }) },
      ],
    });
  });
}

async function startInstallation(
  url: string,
  use: Use,
  { everyMs, stack }: { everyMs: number; stack: AsyncDisposableStack },
) {
  await use(url);
  const stage = await makeStage(hookPaths(HOOKS));
  const port = `${await findFreePort()}`;
  stack.use(await startWorker({ METRICS_PORT: port }));
  const load = stack.use(await startChanging(stage));
  // The change itself takes time: the pause is the rest of the interval.
  return { url, stage, port, load, pauseMs: Math.max(1, everyMs - 10) };
}

/** Makes changes for a minute at a constant rate, and waits until they are delivered. */
async function runMinute(
  installation: Installation,
  { sink, use, everyMs }: { sink: Sink; use: Use; everyMs: number },
): Promise<Minute> {
  const { url, stage, port, load, pauseMs } = installation;
  await use(url);
  const changes = Math.round(60_000 / everyMs);
  await sink.reset(changes * HOOKS);
  const began = performance.now();
  const { commits } = await load.run({ changes, everyMs: pauseMs });
  const tookMs = performance.now() - began;
  await sink.complete(120_000);
  await untilRecorded(stage.hookIds);
  const report = await sink.report();
  if (report.requests !== changes * HOOKS) throw new Error(`${report.requests} requests arrived.`);
  installation.pauseMs = Math.max(1, pauseMs + everyMs - tookMs / changes);
  const minute = {
    p99: latencies(commits, report).p99,
    memory: await readMemory(port),
    rate: (changes * HOOKS) / (tookMs / 1_000),
    ...(await readTables()),
  };
  const { p99, memory, tables, history, dead, rate } = minute;
  console.log(
    `  ${rate.toFixed(0)} a second, p99 ${p99.toFixed(1)} ms, ${memory.toFixed(0)} MiB, tables ${(tables / 1024).toFixed(0)} KiB, ` +
      `${dead} dead rows, ${history.toFixed(0)} bytes of history for each event`,
  );
  return minute;
}

async function compareEnds(minutes: Minute[]): Promise<void> {
  const first = minutes.slice(1, 1 + COMPARED);
  const last = minutes.slice(-COMPARED);
  let [nextFirst, nextLast] = [0, 0];
  const bars = [{ to: 'the first', atMost: 1.2 }];
  await compare(`soak of ${MINUTES} minutes`, {
    rounds: COMPARED,
    figures: {
      p99: { unit: 'ms' },
      memory: { unit: 'MiB', bars },
      tables: { unit: 'bytes', bars },
      dead: { unit: 'dead rows', bars },
      history: { unit: 'bytes/event', bars },
      rate: { unit: 'deliveries/s' },
    },
    sides: [
      { name: 'the last', measure: async () => last[nextLast++ % COMPARED] ?? none() },
      { name: 'the first', measure: async () => first[nextFirst++ % COMPARED] ?? none() },
    ],
  });
}

function none(): never {
  throw new Error('A soak takes at least three minutes: raise BENCH_MINUTES.');
}

/**
 * Returns the size of all tables except history and timeline, the size of those per event, in bytes, and the number of dead rows in all
 * tables.
 */
async function readTables(): Promise<Pick<Minute, 'tables' | 'history' | 'dead'>> {
  const { rows } = await pool().query<{ name: string; bytes: number; dead: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes, pg_stat_get_dead_tuples(oid)::float8 as dead from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  const events = await pool().query<{ events: number }>('select count(*)::int as events from events');
  const sum = (ofHistory: boolean) =>
    rows.filter(({ name }) => HISTORY.test(name) === ofHistory).reduce((all, { bytes }) => all + bytes, 0);
  return {
    tables: sum(false),
    history: sum(true) / (events.rows[0]?.events ?? 1),
    dead: rows.reduce((all, { dead }) => all + dead, 0),
  };
}
