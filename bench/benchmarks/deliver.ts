import { compare } from '#bench/compare.ts';
import {
  checkExact,
  makeStage,
  type Stage,
  startChanging,
  startWorker,
  untilRecorded,
  withEngine,
} from '#bench/lab/engine.ts';
import { chosenPeers, type PeerName, preparePeers, startPeer } from '#bench/lab/peers.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 50;
const CHANGES = scaled(200);
const WARM_CHANGES = scaled(20);

/**
 * Measures deliveries per second, from the first change to the last attempt row: 200 changes to 50 hooks.
 * Compares with queues that only send a keep-alive POST and insert one row for each job.
 */
export async function benchDeliver(rounds: number): Promise<void> {
  await preparePeers();
  await withEngine(async ({ lab, sink }) => {
    const stage = await makeStage(hookPaths(HOOKS));
    const peer = (name: PeerName) => ({
      name,
      measure: async () => {
        await using queue = await startPeer(name, { lab, sink });
        await queue.deliver({ changes: WARM_CHANGES, each: HOOKS });
        return { rate: await queue.deliver({ changes: CHANGES, each: HOOKS }) };
      },
    });
    await compare('deliver', {
      rounds,
      figures: {
        rate: {
          unit: 'deliveries/s',
          bars: [
            { atLeast: 1_500 },
            { to: 'graphile-worker', atLeast: 0.6 },
            { to: 'pg-boss', atLeast: 0.9 },
            { to: 'pg-boss', atLeast: 1.5 },
          ],
        },
      },
      sides: [
        { name: 'the service', measure: async () => ({ rate: await deliverAll(stage, sink, CHANGES) }) },
        ...chosenPeers().map(peer),
      ],
    });
  });
}

/**
 * Delivers a number of changes with newly started, warmed-up workers.
 * @returns deliveries per second
 */
export async function deliverAll(
  stage: Stage,
  sink: Sink,
  changes: number,
  { workers = 1 } = {},
): Promise<number> {
  const { hookIds } = stage;
  await using stack = new AsyncDisposableStack();
  const started: Awaited<ReturnType<typeof startWorker>>[] = [];
  for (let number = 0; number < workers; number += 1) started.push(stack.use(await startWorker()));
  await using load = await startChanging(stage);
  let rate = 0;
  for (const count of [WARM_CHANGES, changes]) {
    await sink.reset(count * hookIds.length);
    const { beganAt } = await load.run({ changes: count });
    await sink.complete();
    const endedAt = await untilRecorded(hookIds);
    try {
      await checkExact(sink, { hookIds, events: count });
    } catch (error) {
      // A worker that got no processor time for three seconds loses its lease and logs that.
      for (const { output } of started) console.error(output());
      throw error;
    }
    rate = (count * hookIds.length) / ((endedAt - beganAt) / 1_000);
  }
  return rate;
}
