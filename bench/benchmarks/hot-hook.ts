import { z } from 'zod';
import { compare } from '#bench/compare.ts';
import { machineMs } from '#bench/lab/clock.ts';
import { checkExact, makeStage, startWorker, untilRecorded, withEngine } from '#bench/lab/engine.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { runTool } from '#scripts/tools/run-tool.ts';
import { db } from '#server/core/database/prisma.ts';
import { makeDeliveries } from '#test/fixtures/deliveries.ts';

const DELIVERIES = scaled(3_000);
const WARM = scaled(500);

/**
 * Measures deliveries per second of one hook, with at most ten in flight, to a sink that responds
 * immediately. The events are committed together. Compares with ten connections that post the same requests
 * and store nothing.
 */
export async function benchHotHook(rounds: number): Promise<void> {
  await withEngine(async ({ sink }) => {
    const stage = await makeStage(['/h/0']);
    await compare('hot-hook', {
      rounds,
      figures: { rate: { unit: 'deliveries/s', bars: [{ atLeast: 600 }] } },
      sides: [
        { name: 'the service', measure: async () => ({ rate: await deliverBurst(stage.hookIds, sink) }) },
        { name: 'ten bare connections', measure: async () => ({ rate: await postBare(sink) }) },
      ],
    });
  });
}

async function deliverBurst(hookIds: string[], sink: Sink): Promise<number> {
  const hook = await db().hook.findFirstOrThrow({ where: { id: { in: hookIds } } });
  await using _worker = await startWorker();
  let rate = 0;
  for (const events of [WARM, DELIVERIES]) {
    await sink.reset(events);
    const beganAt = machineMs();
    await makeDeliveries(hook, events);
    await sink.complete();
    const endedAt = await untilRecorded(hookIds);
    await checkExact(sink, { hookIds, events });
    rate = events / ((endedAt - beganAt) / 1_000);
  }
  return rate;
}

async function postBare(sink: Sink): Promise<number> {
  await sink.reset(DELIVERIES);
  const { code, output } = await runTool('bench/peers/post.mjs', [String(DELIVERIES)], {
    env: { SINK: sink.connectTo, SINK_HOST: sink.host, SINK_CA: sink.caFile },
  });
  if (code !== 0) throw new Error(output);
  const { requests, arrivals } = await sink.report();
  if (requests !== DELIVERIES || arrivals.length !== DELIVERIES)
    throw new Error(`${requests} requests arrived.`);
  return z.coerce.number().positive().parse(output.trim());
}
