import { compare } from '#bench/compare.ts';
import { makeStage, startChanging, startWorker, withEngine } from '#bench/lab/engine.ts';
import type { Load } from '#bench/lab/load.ts';
import { latencies } from '#bench/lab/measure-hooks.ts';
import { chosenPeers, type PeerName, preparePeers, startPeer } from '#bench/lab/peers.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const CHANGES = scaled(200);
const WARM_CHANGES = scaled(20);
const EVERY_MS = 50;

/**
 * Measures the time from the commit of a change to the request at an idle sink, in ms. Compares with bare
 * queues.
 */
export async function benchLatency(rounds: number): Promise<void> {
  await preparePeers();
  await withEngine(async ({ lab, sink }) => {
    const stage = await makeStage(hookPaths(1));
    const ours = async () => {
      await using _worker = await startWorker();
      await using changing = await startChanging(stage);
      const load = (changes: number) => changing.run({ changes, everyMs: EVERY_MS });
      await measure(sink, WARM_CHANGES, load);
      return await measure(sink, CHANGES, load);
    };
    const peer = (name: PeerName) => ({
      name,
      measure: async () => {
        await using queue = await startPeer(name, { lab, sink });
        const load = (changes: number) => queue.load({ changes, each: 1, everyMs: EVERY_MS });
        await measure(sink, WARM_CHANGES, load);
        return await measure(sink, CHANGES, load);
      },
    });
    await compare('latency', {
      rounds,
      figures: {
        p50: { unit: 'ms', bars: [{ atMost: 9 }, { to: 'pg-boss', atMost: 1 / 1.5 }] },
        p99: { unit: 'ms', bars: [{ atMost: 30 }] },
      },
      sides: [{ name: 'the service', measure: ours }, ...chosenPeers().map(peer)],
    });
  });
}

async function measure(sink: Sink, changes: number, load: (changes: number) => Promise<Load>) {
  await sink.reset(changes);
  const { commits } = await load(changes);
  await sink.complete();
  return latencies(commits, await sink.report());
}
