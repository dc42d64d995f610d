import { setTimeout as sleep } from 'node:timers/promises';
import { compare } from '#bench/compare.ts';
import { machineMs, percentile } from '#bench/lab/clock.ts';
import {
  checkExact,
  makeStage,
  type Stage,
  startWorker,
  untilRecorded,
  withEngine,
} from '#bench/lab/engine.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';
import { startServerProcess } from '#test/servers/service-processes.ts';

const HOOKS = 500;
const CALLS = scaled(20);
/** Pause between calls, so that the next call finds an idle service. */
const PAUSE_MS = 100;

/**
 * Measures one change through the API with 500 listening hooks: the duration of the call, and the time until
 * every hook has received the event, in ms.
 */
export async function benchFanout(rounds: number): Promise<void> {
  await withEngine(async ({ sink }) => {
    const [listened, alone] = [await makeStage(hookPaths(HOOKS)), await makeStage([])];
    const server = await startServerProcess();
    try {
      const side = (name: string, stage: Stage) => ({
        name,
        measure: async () => {
          await using _worker = await startWorker();
          await callAll({ url: server.url, stage, sink });
          return await callAll({ url: server.url, stage, sink });
        },
      });
      await compare('fanout', {
        rounds,
        figures: {
          'all have it after': { unit: 'ms', bars: [{ atMost: 1_000 }] },
          'the call takes': { unit: 'ms', bars: [{ to: 'no hook', atMost: 1.2 }] },
        },
        sides: [side('500 hooks', listened), side('no hook', alone)],
      });
    } finally {
      await server.stop();
    }
  });
}

/** Returns the median call and the slowest delivery. Without hooks there is no delivery to wait for. */
async function callAll({ url, stage, sink }: { url: string; stage: Stage; sink: Sink }) {
  const request = apiClient(url, stage.accessToken);
  const [id] = stage.conversations;
  const [calls, alls]: number[][] = [[], []];
  const expected = stage.hookIds.length;
  for (let call = 0; call < CALLS; call += 1) {
    await sink.reset(expected);
    const status = call % 2 === 0 ? 'pending' : 'open';
    const beganAt = machineMs();
    const response = await request('PATCH', `/conversations/${id}`, { status });
    calls?.push(machineMs() - beganAt);
    if (response.status !== 200) throw new Error(`The API returned ${response.status}.`);
    if (expected > 0) await sink.complete();
    await untilRecorded(stage.hookIds);
    await checkExact(sink, { hookIds: stage.hookIds, events: 1 });
    const { arrivals } = await sink.report();
    alls?.push(Math.max(beganAt, ...arrivals.map(({ at }) => at)) - beganAt);
    await sleep(PAUSE_MS);
  }
  return {
    'the call takes': percentile(calls ?? [], 0.5),
    // The slowest call: all events have to arrive in time.
    'all have it after': Math.max(...(alls ?? [])),
  };
}
