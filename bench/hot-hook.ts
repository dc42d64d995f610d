import { z } from 'zod';
import { compare } from '#bench/compare.ts';
import { deliverAll } from '#bench/deliver.ts';
import { makeStage, withEngine } from '#bench/engine.ts';
import type { Sink } from '#bench/sink.ts';
import { runTool } from '#scripts/tools/run-tool.ts';

const DELIVERIES = 3_000;

/**
 * Deliveries a second of one hook, of which ten at most are under way, to a sink that answers at once; beside ten
 * connections that post the same and keep nothing.
 */
export async function benchHotHook(rounds: number): Promise<void> {
  await withEngine(async ({ sink }) => {
    const stage = await makeStage(['/h/0']);
    await compare('hot-hook', {
      rounds,
      figures: { rate: { unit: 'deliveries/s', bars: [{ atLeast: 600 }] } },
      sides: [
        { name: 'the service', measure: async () => ({ rate: await deliverAll(stage, sink, DELIVERIES) }) },
        { name: 'ten bare connections', measure: async () => ({ rate: await postBare(sink) }) },
      ],
    });
  });
}

async function postBare(sink: Sink): Promise<number> {
  await sink.reset(DELIVERIES);
  const { code, output } = await runTool('bench/peers/post.mjs', [String(DELIVERIES)], {
    env: { SINK: sink.connectTo, SINK_HOST: sink.host, SINK_CA: sink.caFile },
  });
  if (code !== 0) throw new Error(output);
  const { requests, arrivals } = await sink.report();
  if (requests !== DELIVERIES || arrivals.length !== DELIVERIES)
    throw new Error(`${requests} requests came.`);
  return z.coerce.number().positive().parse(output.trim());
}
