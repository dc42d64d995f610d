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
import { findFreePort } from '#scripts/tools/ports.ts';
import { pool } from '#server/core/database/pools.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 50;
const MINUTES = Number(process.env.BENCH_MINUTES ?? 20);
/** Number of minutes to compare: taken after the first minute, and from the end. */
const COMPARED = Math.max(1, Math.floor((MINUTES - 1) / 5));
/**
 * Tables that grow by design: history is dropped by the day, the timeline stays. Their bytes per event are
 * compared instead of their size.
 */
const HISTORY = /^(events|deliveries|attempts|timeline_entries)(_\d{8}|_default)?$/;

type Minute = { p99: number; memory: number; tables: number; history: number; rate: number };

/**
 * Runs a worker at half the rate of `deliver` for twenty minutes (`BENCH_MINUTES`). Compares p99, memory and
 * table sizes of the last minutes with the first ones.
 */
export async function benchSoak(): Promise<void> {
  await withEngine(async ({ sink }) => {
    const stage = await makeStage(hookPaths(HOOKS));
    const most = await deliverAll(stage, sink, scaled(100));
    const everyMs = 1_000 / (most / 2 / HOOKS);
    const port = `${await findFreePort()}`;
    await using _worker = await startWorker({ METRICS_PORT: port });
    await using load = await startChanging(stage);
    const minutes: Minute[] = [];
    // The change itself takes time: the pause is the rest of the interval.
    let pauseMs = Math.max(1, everyMs - 10);
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const changes = Math.round(60_000 / everyMs);
      await sink.reset(changes * HOOKS);
      const began = performance.now();
      const { commits } = await load.run({ changes, everyMs: pauseMs });
      const tookMs = performance.now() - began;
      await sink.complete(120_000);
      await untilRecorded(stage.hookIds);
      const report = await sink.report();
      if (report.requests !== changes * HOOKS) throw new Error(`${report.requests} requests arrived.`);
      pauseMs = Math.max(1, pauseMs + everyMs - tookMs / changes);
      const sizes = await tableSizes();
      const rate = (changes * HOOKS) / (tookMs / 1_000);
      minutes.push({ p99: latencies(commits, report).p99, memory: await readMemory(port), rate, ...sizes });
      const { p99, memory, tables } = minutes.at(-1) ?? { p99: 0, memory: 0, tables: 0 };
      console.log(
        `  minute ${minute + 1}: ${rate.toFixed(0)} a second, p99 ${p99.toFixed(1)} ms, ${memory.toFixed(0)} MiB, ` +
          `tables ${(tables / 1024).toFixed(0)} KiB, ${sizes.history.toFixed(0)} bytes of history for each event`,
      );
    }
    const first = minutes.slice(1, 1 + COMPARED);
    const last = minutes.slice(-COMPARED);
    let [nextFirst, nextLast] = [0, 0];
    const bars = [{ to: 'the first', atMost: 1.2 }];
    await compare(`soak of ${MINUTES} minutes`, {
      rounds: COMPARED,
      figures: {
        p99: { unit: 'ms', bars },
        memory: { unit: 'MiB', bars },
        tables: { unit: 'bytes', bars },
        history: { unit: 'bytes/event', bars },
        rate: { unit: 'deliveries/s' },
      },
      sides: [
        { name: 'the last', measure: async () => last[nextLast++ % COMPARED] ?? none() },
        { name: 'the first', measure: async () => first[nextFirst++ % COMPARED] ?? none() },
      ],
    });
  });
}

function none(): never {
  throw new Error('A soak takes at least three minutes: raise BENCH_MINUTES.');
}

/** Returns the size of all tables except history and timeline, and the size of those per event, in bytes. */
async function tableSizes(): Promise<{ tables: number; history: number }> {
  const { rows } = await pool().query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  const events = await pool().query<{ events: number }>('select count(*)::int as events from events');
  const sum = (ofHistory: boolean) =>
    rows.filter(({ name }) => HISTORY.test(name) === ofHistory).reduce((all, { bytes }) => all + bytes, 0);
  return { tables: sum(false), history: sum(true) / (events.rows[0]?.events ?? 1) };
}
