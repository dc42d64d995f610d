import { type DeliveryState, explainDelivery } from '#server/automation/deliveries/explain-delivery.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { RunView } from '#server/screens/inbox/thread-views.ts';

/**
 * Deliveries of a run's event. `isKnown` is false once the history is removed. `isQueued` is true before the deliveries are
 * created.
 */
export type RunRow = { isKnown: boolean; isQueued: boolean; deliveries: DeliveryState[] };

/** Maximum number of deliveries of a run to read. */
const DELIVERIES_MAX = 100;

/** SQL of the `RunRow` of a run. */
export function runJson(runId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`json_build_object(
    'isKnown', exists (select from events where id = ${runId}),
    'isQueued', exists (select from events_to_fan_out where event_id = ${runId}),
    'deliveries', (
      select coalesce(json_agg(json_build_object('outcome', d.outcome, 'attempts', d.attempts, 'last', (
        select json_build_object('outcome', a.outcome, 'statusCode', a.status_code) from attempts a
        where a.event_id = d.event_id and a.delivery_id = d.id and a.number = d.attempts))), '[]')
      from (select * from deliveries where event_id = ${runId} limit ${DELIVERIES_MAX}::int) d))`;
}

/**
 * Returns the state of a run.
 * @throws Refusal when the workspace has no such run
 */
export async function readRun(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<RunView | null> {
  const [found] = await db.$queryRaw<{ run: RunRow }[]>`
    select ${runJson(Prisma.sql`r.id`)} as run from command_runs r
    where r.workspace_id = ${workspaceId}::uuid and r.id = ${id}::uuid`;
  if (!found) throw notFound('The command');
  return runView(found.run);
}

/** Returns the state of a run in words, or null once its history is removed. */
export function runView({ isKnown, isQueued, deliveries }: RunRow): RunView | null {
  const platformName = settings().PLATFORM_NAME;
  if (!isKnown) return null;
  if (isQueued) return { state: 'sent', sentence: `Sent to ${platformName}` };
  const failed = deliveries.filter(({ outcome }) => outcome !== null && outcome !== 'delivered');
  const [first] = failed;
  if (first || deliveries.length === 0) {
    const why = first ? explainDelivery(first, platformName) : 'the workflow was turned off';
    const where = deliveries.length > 1 ? ` to ${failed.length} of ${deliveries.length} workflows` : '';
    return { state: 'failed', sentence: `Not delivered${where}: ${why}` };
  }
  const pending = deliveries.filter(({ outcome }) => outcome === null);
  const retried = pending.find(({ attempts }) => attempts > 0);
  if (retried)
    return { state: 'retrying', sentence: `Still trying: ${explainDelivery(retried, platformName)}` };
  if (pending.length > 0) return { state: 'sent', sentence: `Sent to ${platformName}` };
  const to = deliveries.length > 1 ? `${deliveries.length} workflows` : platformName;
  return { state: 'delivered', sentence: `Delivered to ${to}` };
}
