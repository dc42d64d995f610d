import { deliverAll } from '#bench/benchmarks/deliver.ts';
import { compare } from '#bench/compare.ts';
import { makeStage, type Stage, withEngine } from '#bench/lab/engine.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { newSecret } from '#server/automation/webhooks/endpoint-secret.ts';
import { pool } from '#server/core/database/pools.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 50;
const CHANGES = scaled(200);
/** Endpoints beside the hooks of the platform, which listen for another event. */
const ENDPOINTS = 20;

/**
 * Measures deliveries per second as `deliver` does: to webhook endpoints, which are signed, and to hooks of the platform in a
 * workspace that has endpoints too. Compares with hooks of a workspace without endpoints.
 */
export async function benchWebhooks(rounds: number): Promise<void> {
  await withEngine(async ({ sink }) => {
    const [signed, hooks, beside] = [
      await makeStage(hookPaths(HOOKS)),
      await makeStage(hookPaths(HOOKS)),
      await makeStage(hookPaths(HOOKS)),
    ];
    await turnIntoEndpoints(signed.hookIds, 'conversation.status_changed', signed.workspaceId);
    const { hookIds: others } = await makeStage(hookPaths(ENDPOINTS));
    await turnIntoEndpoints(others, 'contact.merged', beside.workspaceId);
    const measure = (stage: Stage) => () => rateOf(stage, sink);
    const unsigned = { name: 'hooks', measure: measure(hooks) };
    const figures = (atLeast: number) => ({
      rate: { unit: 'deliveries/s', bars: [{ to: 'hooks', atLeast }] },
    });
    const sides = [{ name: 'signed', measure: measure(signed) }, unsigned];
    await compare('webhooks', { rounds, figures: figures(0.9), sides });
    const two = [{ name: 'hooks beside endpoints', measure: measure(beside) }, unsigned];
    await compare('webhooks', { rounds, figures: figures(0.95), sides: two });
  });
}

async function rateOf(stage: Stage, sink: Sink) {
  return { rate: await deliverAll(stage, sink, CHANGES) };
}

/** Makes endpoints of a workspace of hooks. Their events are signed. */
async function turnIntoEndpoints(hookIds: string[], event: string, workspaceId: string): Promise<void> {
  const secrets = hookIds.map((id) => Buffer.from(newSecret(id).sealed));
  await pool().query(
    `update hooks set connection_id = null, event = '*', events = array[$2], workspace_id = $3
     where id = any ($1::uuid[])`,
    [hookIds, event, workspaceId],
  );
  await pool().query(
    `insert into webhook_endpoints (id, workspace_id, secret, created_by_name)
     select h.id, h.workspace_id, s.secret, 'Benchmark' from unnest($1::uuid[], $2::bytea[]) s (id, secret)
     join hooks h on h.id = s.id`,
    [hookIds, secrets],
  );
}
