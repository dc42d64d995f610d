import { percentile } from '#bench/lab/clock.ts';
import { type Stage, startChanging, startWorker, untilRecorded } from '#bench/lab/engine.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink, SinkBehaviour } from '#bench/lab/sink.ts';

/**
 * Matches events with commits by order: event ids sort by time, and one writer commits them in turn.
 * @returns percentiles of the time from the commit of an event to each arrival, in ms
 */
export function latencies(commits: number[], { arrivals }: { arrivals: { id: string; at: number }[] }) {
  const ids = [...new Set(arrivals.map(({ id }) => id))].sort();
  if (ids.length !== commits.length) throw new Error(`${ids.length} of ${commits.length} events arrived.`);
  const committed = new Map(ids.map((id, place) => [id, commits[place] ?? Number.NaN]));
  const took = arrivals.map(({ id, at }) => at - (committed.get(id) ?? Number.NaN));
  const at = (share: number) => percentile(took, share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1) };
}

/** The hooks of a stage to measure: all that are expected to receive deliveries. */
export type Watched = { stage: Stage; sink: Sink; hookIds: string[]; behaviour?: SinkBehaviour };

const WARM_CHANGES = 5;
/** Deliveries of a burst: more than two seconds, so that short hiccups of the machine do not matter. */
const BURST = scaled(6_000);
const PACED_CHANGES = scaled(20);

/**
 * Measures a burst in deliveries per second, then paced changes by the time from commit to arrival in ms.
 * Uses a new, warmed-up worker.
 * @param changes number of paced changes; `beside`: work to run during them
 */
export async function measureHooks(
  { stage, sink, hookIds, behaviour = {} }: Watched,
  {
    everyMs,
    changes = PACED_CHANGES,
    beside = async () => undefined,
  }: { everyMs: number; changes?: number; beside?: () => Promise<unknown> },
) {
  await using _worker = await startWorker();
  await using load = await startChanging(stage);

  async function changed(count: number, pauseMs?: number) {
    await sink.reset(count * hookIds.length, behaviour);
    const made = await load.run({ changes: count, ...(pauseMs === undefined ? {} : { everyMs: pauseMs }) });
    await sink.complete(120_000);
    const endedAt = await untilRecorded(hookIds);
    const { arrivals, requests, lagMs } = await sink.report();
    const expected = count * hookIds.length;
    if (arrivals.length !== expected || requests !== expected) {
      throw new Error(`${arrivals.length} of ${expected} deliveries arrived, in ${requests} requests.`);
    }
    return { rate: expected / ((endedAt - made.beganAt) / 1_000), commits: made.commits, arrivals, lagMs };
  }

  await changed(WARM_CHANGES);
  const { rate } = await changed(Math.ceil(BURST / hookIds.length));
  const [paced] = await Promise.all([changed(changes, everyMs), beside()]);
  return { rate, lagMs: paced.lagMs, ...latencies(paced.commits, paced) };
}
