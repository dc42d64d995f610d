import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { figure, judge } from '#bench/drills/judge.ts';
import { CELLS, type Cell, type Victim } from '#bench/drills/recovery-cells.ts';
import { EACH, QUEUES, type QueueName, startQueue } from '#bench/drills/recovery-queues.ts';
import { backAfter, cappedRate, rateIn, type Span } from '#bench/drills/recovery-rates.ts';
import { machineMs, percentile } from '#bench/lab/clock.ts';
import { withEngine } from '#bench/lab/engine.ts';
import { preparePeers } from '#bench/lab/peers.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { deliveryKey } from '#test/faults/delivery-keys.ts';

// npm run drill -- recovery [--only burst] [--rounds 1] [--rate 200]: five faults and four pressures, each for the deliveries of the service
// and for bare graphile-worker and pg-boss in turn: two workers, a constant rate of changes with ten deliveries each, one PostgreSQL, one
// receiver. The figure of a cell is the rate after a fault, or under a pressure, divided by the rate before.

const WARM_MS = 4_000;
const BEFORE_MS = 15_000;
const AFTER_MS = 20_000;
/** Time for what is still missing at the end of a cell, in ms. It includes the expiry of a worker's lease. */
const LATE_MS = 10_000;
const GOALS = { fault: 0.95, pressure: 0.9 };
/** Differences between queues that other work on the machine causes. */
const NOISE = 0.03;

type Engine = Parameters<Parameters<typeof withEngine>[0]>[0];

type Outcome = {
  ratio: number;
  before: number;
  backMs: number | undefined;
  missing: number;
  twice: number;
  ended: number;
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    rate: { type: 'string', default: '200' },
  },
});
const [rounds, perSecond] = [Number(values.rounds), Number(values.rate) / EACH];
const chosen = Object.entries(CELLS).filter(([name]) => values.only === undefined || name === values.only);
if (chosen.length === 0) throw new Error(`Name one of: ${Object.keys(CELLS).join(', ')}.`);

await preparePeers();
await withEngine(async (engine) => {
  for (const [name, cell] of chosen) {
    const outcomes = new Map<QueueName, Outcome[]>(QUEUES.map((queue) => [queue, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const queue of round % 2 === 0 ? QUEUES : QUEUES.toReversed()) {
        const outcome = await runCell(cell, queue, engine);
        figure(`${name}, ${queue}: ${describe(outcome)}, load ${loadavg()[0]?.toFixed(1)}`);
        outcomes.get(queue)?.push(outcome);
      }
    }
    judgeCell(name, cell, outcomes);
  }
});

/** Runs a cell on one queue: a warm-up, the rate before, the fault, the rate after, and the wait for what is still missing. */
async function runCell(cell: Cell, name: QueueName, engine: Engine): Promise<Outcome> {
  const { lab, sink } = engine;
  await sink.reset(0);
  const queue = await startQueue(name, engine);
  try {
    queue.load.setRate(perSecond);
    await sleep(WARM_MS);
    const before = await spend(BEFORE_MS);
    const after = await inflict(cell, { queue, lab, perSecond });
    const missing = await untilArrived(sink, await queue.stopLoad());
    const { arrivals, repeats } = await sink.report();
    const times = arrivals.map(({ at }) => at);
    // Work left over from the start may be delivered as well.
    const rateBefore = cappedRate(times, before, perSecond * EACH);
    return {
      ratio: ratioOf(cell, times, { before: rateBefore, after }),
      before: rateBefore,
      backMs: backAfter(times, after, rateBefore),
      missing,
      twice: repeats.length,
      ended: queue.workers.reduce((sum, worker) => sum + worker.ended(), 0),
    };
  } finally {
    await queue.stop();
  }
}

/** Returns the span in which the rate counts: after a fault, or under a pressure. */
async function inflict(cell: Cell, victim: Victim): Promise<Span> {
  if (cell.kind === 'fault') {
    await cell.run(victim);
    return spend(AFTER_MS);
  }
  const from = machineMs();
  const release = await cell.begin(victim);
  await sleep(Math.max(0, from + AFTER_MS - machineMs()));
  const to = machineMs();
  await release();
  return { from, to };
}

async function spend(ms: number): Promise<Span> {
  const from = machineMs();
  await sleep(ms);
  return { from, to: machineMs() };
}

/** Divides the rate by the rate before, and under a pressure by the load that it offers. */
function ratioOf(cell: Cell, times: number[], { before, after }: { before: number; after: Span }): number {
  const { rate, burstSeconds } = cell.kind === 'fault' ? { rate: 1, burstSeconds: 0 } : cell.offers;
  if (burstSeconds === 0) return cappedRate(times, after, before * rate) / (before * rate);
  const offered = before * (rate + (burstSeconds * 1_000) / (after.to - after.from));
  return Math.min(1, rateIn(times, after) / offered);
}

/** Waits for all expected deliveries. Returns the number of those that did not arrive. */
async function untilArrived(sink: Sink, expected: string[]): Promise<number> {
  const deadline = machineMs() + LATE_MS;
  for (;;) {
    const { arrivals } = await sink.report();
    const arrived = new Set(arrivals.map(({ id, path }) => deliveryKey(id, path)));
    const missing = expected.filter((delivery) => !arrived.has(delivery)).length;
    if (missing === 0 || machineMs() > deadline) return missing;
    await sleep(200);
  }
}

function judgeCell(name: string, { kind }: Cell, outcomes: Map<QueueName, Outcome[]>): void {
  const of = (queue: QueueName) => outcomes.get(queue) ?? [];
  const ratio = (queue: QueueName) =>
    percentile(
      of(queue).map((each) => each.ratio),
      0.5,
    );
  const [ours = 0, ...peers] = QUEUES.map(ratio);
  const sum = (key: 'missing' | 'twice' | 'ended') =>
    of('the service').reduce((all, each) => all + each[key], 0);
  const beside = QUEUES.map((queue) => `${queue} ${ratio(queue).toFixed(2)}`).join(', ');
  judge(`${name}: rate ${kind === 'fault' ? 'after' : 'under it'} ÷ before ${beside}`, ours >= GOALS[kind]);
  judge(`${name}: the service is at least as good as both`, ours + NOISE >= Math.max(...peers));
  judge(`${name}: ${sum('missing')} deliveries lost, ${sum('twice')} twice`, sum('missing') === 0);
  judge(`${name}: ${sum('ended')} workers ended by themselves`, sum('ended') === 0);
}

function describe({ ratio, before, backMs, missing, twice, ended }: Outcome): string {
  const back = backMs === undefined ? 'not back' : `back after ${(backMs / 1_000).toFixed(1)} s`;
  return `${ratio.toFixed(2)} of ${before.toFixed(0)}/s, ${back}, ${missing} missing, ${twice} twice, ${ended} workers ended`;
}
