import { compare } from '#bench/compare.ts';
import { makeStage, withEngine } from '#bench/lab/engine.ts';
import { measureHooks } from '#bench/lab/measure-hooks.ts';
import { pool } from '#server/core/database/pools.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 300;
const HANGING = 3;
const EVERY_MS = 1_000;

/** Compares delivery to 297 hooks with and without three more hooks whose receivers never respond. */
export async function benchIsolation(rounds: number): Promise<void> {
  await withEngine(async ({ sink }) => {
    const stage = await makeStage([
      ...hookPaths(HOOKS - HANGING),
      ...hookPaths(HANGING).map((path) => `/hang${path}`),
    ]);
    const alone = await makeStage(hookPaths(HOOKS - HANGING));
    const hookIds = stage.hookIds.slice(0, HOOKS - HANGING);
    await compare('isolation', {
      rounds,
      figures: {
        rate: { unit: 'deliveries/s', bars: [{ to: 'none', atLeast: 0.9 }] },
        p95: { unit: 'ms', bars: [{ to: 'none', atMost: 1.2 }] },
      },
      sides: [
        {
          name: 'three of 300 hang',
          measure: async () => {
            const watched = { stage, sink, hookIds, behaviour: { hangs: true } };
            try {
              return await measureHooks(watched, { everyMs: EVERY_MS });
            } finally {
              await forget(stage.hookIds.slice(HOOKS - HANGING));
            }
          },
        },
        {
          name: 'none',
          measure: () => measureHooks({ stage: alone, sink, hookIds: alone.hookIds }, { everyMs: EVERY_MS }),
        },
      ],
    });
  });
}

/** Cancels the deliveries of the hanging hooks, so that the next round starts with no known timeout. */
async function forget(hookIds: string[]): Promise<void> {
  await pool().query(
    `update deliveries set ended_at = now(), outcome = 'cancelled', next_attempt_at = null
     where hook_id = any ($1::uuid[]) and ended_at is null`,
    [hookIds],
  );
  await pool().query('delete from hook_queue where hook_id = any ($1::uuid[])', [hookIds]);
  await pool().query('update hooks set timed_out_at = null where id = any ($1::uuid[])', [hookIds]);
}
