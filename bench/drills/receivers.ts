import { setTimeout as sleep } from 'node:timers/promises';
import { figure, judge, maxDuringFault } from '#bench/drills/judge.ts';
import { percentile } from '#bench/lab/clock.ts';
import { makeStage, readMemory, withEngine } from '#bench/lab/engine.ts';
import { measureHooks } from '#bench/lab/measure-hooks.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';
import { MISBEHAVIOURS } from '#test/servers/misbehaviours.ts';

// npm run drill -- receivers [changes] [rounds]: sends one event every 100 ms to 20 hooks that respond, and
// to one hook for each kind of misbehaving receiver: slow, disconnecting, wrong lengths, endless. Compares
// with the same load without them. The sides alternate, so that other load on the machine slows both.
// send-delivery.integration.test.ts checks the outcomes.
const [changes = 100, rounds = 3] = process.argv.slice(2).map(Number);
const EVERY_MS = 100;
const HOOKS = 20;
const OF_EACH = 1;
/** Maximum growth of the worker's memory, in MiB. */
const MEMORY_MOST = 150;

await withEngine(async ({ sink }) => {
  const bad = Object.keys(MISBEHAVIOURS).flatMap((name) =>
    Array.from({ length: OF_EACH }, (_, number) => `/${name}/${number}`),
  );
  const measure = async (paths: string[]) => {
    const stage = await makeStage([...hookPaths(HOOKS), ...paths]);
    const port = `${await findFreePort()}`;
    process.env.METRICS_PORT = port;
    let mebibytes = 0;
    const beside = async () => {
      for (const endsAt = performance.now() + changes * EVERY_MS; performance.now() < endsAt; ) {
        mebibytes = Math.max(mebibytes, await readMemory(port));
        await sleep(250);
      }
    };
    const hookIds = stage.hookIds.slice(0, HOOKS);
    const measured = await measureHooks({ stage, sink, hookIds }, { everyMs: EVERY_MS, changes, beside });
    return { ...measured, mebibytes };
  };
  type Measured = Awaited<ReturnType<typeof measure>>;
  const measured: Record<'without' | 'beside', Measured[]> = { without: [], beside: [] };
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = round % 2 === 0 ? (['without', 'beside'] as const) : (['beside', 'without'] as const);
    for (const side of inTurn) measured[side].push(await measure(side === 'beside' ? bad : []));
  }
  const middle = (side: keyof typeof measured, of: (one: Measured) => number) =>
    percentile(measured[side].map(of), 0.5);

  for (const [name, all] of Object.entries(measured)) {
    for (const { p50, p99, longest, lagMs, mebibytes } of all) {
      const [half, most, last, lag] = [p50, p99, longest, lagMs].map((value) => value.toFixed(1));
      figure(
        `${name}: p50 ${half} ms, p99 ${most} ms, longest ${last} ms (the receiver itself was late by up to ${lag} ms); ` +
          `worker ${mebibytes.toFixed(0)} MiB`,
      );
    }
  }
  const p99 = middle('beside', (each) => each.p99);
  const atMost = maxDuringFault(middle('without', (each) => each.p99));
  judge(
    `p99 of the other hooks ${p99.toFixed(1)} ms, at most ${atMost.toFixed(1)} (medians of ${rounds} rounds)`,
    p99 <= atMost,
  );
  const memory = (each: Measured) => each.mebibytes;
  const more = middle('beside', memory) - middle('without', memory);
  judge(`the worker used ${more.toFixed(0)} MiB more, at most ${MEMORY_MOST}`, more <= MEMORY_MOST);
});
