import { compare } from '#bench/compare.ts';
import { makeStage, type Stage, withEngine } from '#bench/lab/engine.ts';
import { measureHooks } from '#bench/lab/measure-hooks.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 50;
const EVERY_MS = 250;
/** Deliveries that wait for their next attempt, spread over `WAITING_HOOKS`. */
const WAITING = scaled(100_000);
const WAITING_HOOKS = 50;

/** Compares delivery to 50 hooks with and without 100,000 deliveries that wait for a retry. */
export async function benchBacklog(rounds: number): Promise<void> {
  await withEngine(async ({ lab, sink, use }) => {
    const emptyUrl = await lab.serviceDatabase('engine_empty');
    await makeBacklog();
    const stages = new Map([[lab.url, await makeSettledStage(sink)]]);
    await use(emptyUrl);
    stages.set(emptyUrl, await makeSettledStage(sink));
    const side = (name: string, url: string) => ({
      name,
      measure: async () => {
        await use(url);
        const stage = stages.get(url);
        if (!stage) throw new Error('This database has no stage.');
        return measureHooks({ stage, sink, hookIds: stage.hookIds }, { everyMs: EVERY_MS });
      },
    });
    await compare('backlog', {
      rounds,
      figures: {
        rate: { unit: 'deliveries/s', bars: [{ to: 'none waits', atLeast: 0.9 }] },
        p95: { unit: 'ms', bars: [{ to: 'none waits', atMost: 1.2 }] },
      },
      sides: [side('100,000 wait for a retry', lab.url), side('none waits', emptyUrl)],
    });
  });
}

async function makeBacklog(): Promise<void> {
  const { workspaceId, hookIds } = await makeStage(hookPaths(WAITING_HOOKS));
  await inBulk(async (bulk) => {
    await bulk.$executeRawUnsafe(
      `with recorded as (
         insert into events (id, workspace_id, key, body)
         select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7'
           || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
           $1::uuid, 'conversation.status_changed', repeat('x', 1000)
         from generate_series(1, ${WAITING / WAITING_HOOKS}) n returning id
       )
       insert into deliveries (id, workspace_id, event_id, hook_id, attempts, next_attempt_at)
       select gen_random_uuid(), $1::uuid, r.id, h, 1, now() + interval '30 minutes'
       from recorded r, unnest($2::uuid[]) h`,
      workspaceId,
      hookIds,
    );
    await bulk.$executeRawUnsafe(
      `insert into hook_queue (hook_id, due_at) select h, now() + interval '30 minutes' from unnest($1::uuid[]) h`,
      hookIds,
    );
  });
}

/**
 * Creates a stage in a database in steady state: deliveries have run, tables are analyzed, and dirty pages
 * are flushed. Otherwise only one side would pay for them.
 */
async function makeSettledStage(sink: Sink): Promise<Stage> {
  const stage = await makeStage(hookPaths(HOOKS));
  await measureHooks({ stage, sink, hookIds: stage.hookIds }, { everyMs: EVERY_MS });
  await inBulk(async (bulk) => {
    await bulk.$executeRawUnsafe('vacuum (analyze)');
    await bulk.$executeRawUnsafe('checkpoint');
  });
  return stage;
}
