import { latencies } from '#bench/benchmarks/latency.ts';
import { type Stage, startChanging, startWorker, untilRecorded } from '#bench/lab/engine.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink, SinkBehaviour } from '#bench/lab/sink.ts';

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
