import { percentile } from '#bench/lab/clock.ts';
import { type Stage, startChanging, startWorker, untilRecorded } from '#bench/lab/engine.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink, SinkBehaviour } from '#bench/lab/sink.ts';

/**
 * The ids of events order by time, and one writer commits one after the other.
 * @returns percentiles of the time from the commit of an event to each of its arrivals
 */
export function latencies(commits: number[], { arrivals }: { arrivals: { id: string; at: number }[] }) {
  const ids = [...new Set(arrivals.map(({ id }) => id))].sort();
  if (ids.length !== commits.length) throw new Error(`${ids.length} of ${commits.length} events arrived.`);
  const committed = new Map(ids.map((id, place) => [id, commits[place] ?? Number.NaN]));
  const took = arrivals.map(({ id, at }) => at - (committed.get(id) ?? Number.NaN));
  const at = (share: number) => percentile(took, share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1) };
}

/** Which hooks of a stage are looked at: all but those of which nothing is expected. */
export type Watched = { stage: Stage; sink: Sink; hookIds: string[]; behaviour?: SinkBehaviour };

const WARM_CHANGES = 5;
/** Deliveries of a burst: two seconds and more, so that a moment of the machine does not decide. */
const BURST = scaled(6_000);
const PACED_CHANGES = scaled(20);

/**
 * What hooks get of a burst, in deliveries a second, and of one change every so often: how long after the commit it
 * arrives, in milliseconds. With a fresh, warm worker.
 * @param changes how many paced changes; `beside`: what happens during them
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
      throw new Error(`Of ${expected} deliveries ${arrivals.length} arrived, in ${requests} requests.`);
    }
    return { rate: expected / ((endedAt - made.beganAt) / 1_000), commits: made.commits, arrivals, lagMs };
  }

  await changed(WARM_CHANGES);
  const { rate } = await changed(Math.ceil(BURST / hookIds.length));
  const [paced] = await Promise.all([changed(changes, everyMs), beside()]);
  return { rate, lagMs: paced.lagMs, ...latencies(paced.commits, paced) };
}
