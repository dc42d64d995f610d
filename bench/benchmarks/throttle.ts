import { compare } from '#bench/compare.ts';
import { makeStage, startChanging, startWorker, untilRecorded, withEngine } from '#bench/lab/engine.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { pool } from '#server/core/database/pools.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 20;
const DELIVERIES = scaled(250) * HOOKS;
const ACCEPTED_PER_SECOND = 33;
/** The last retries run ten minutes after the third refusal. */
const TIMEOUT_MS = 30 * 60_000;

/**
 * Sends a burst of 5,000 deliveries from 20 hooks of one connection to a receiver that accepts 33 requests a
 * second. No delivery may be given up. Runs once, as it takes minutes: the hooks share 20 attempts a second.
 */
export async function benchThrottle(): Promise<void> {
  await withEngine(async ({ sink }) => {
    const stage = await makeStage(hookPaths(HOOKS));
    await compare('throttle', {
      rounds: 1,
      figures: {
        exhausted: { unit: 'deliveries', bars: [{ atMost: 0 }] },
        refused: { unit: 'requests' },
        'all have arrived after': { unit: 's' },
      },
      sides: [
        {
          name: `${DELIVERIES} deliveries, ${ACCEPTED_PER_SECOND} accepted per second`,
          measure: async () => {
            await using _worker = await startWorker();
            await using load = await startChanging(stage);
            await sink.reset(DELIVERIES, { acceptedPerSecond: ACCEPTED_PER_SECOND });
            const { beganAt } = await load.run({ changes: DELIVERIES / HOOKS });
            const endedAt = await untilRecorded(stage.hookIds, TIMEOUT_MS);
            const { refused, requests, arrivals } = await sink.report();
            const { rows } = await pool().query<{ exhausted: number; delivered: number }>(
              `select count(*) filter (where outcome = 'exhausted')::int as exhausted,
                 count(*) filter (where outcome = 'delivered')::int as delivered
               from deliveries where hook_id = any ($1::uuid[])`,
              [stage.hookIds],
            );
            const { exhausted = 0, delivered = 0 } = rows[0] ?? {};
            if (delivered !== arrivals.length || requests !== arrivals.length) {
              throw new Error(
                `${delivered} were delivered, ${arrivals.length} arrived in ${requests} requests.`,
              );
            }
            return { exhausted, refused, 'all have arrived after': (endedAt - beganAt) / 1_000 };
          },
        },
      ],
    });
  });
}
