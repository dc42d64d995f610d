import { validate as isUuid } from 'uuid';
import { wakeHooks } from '#server/automation/deliveries/hook-queue.ts';
import { THROTTLED_PER_SECOND } from '#server/automation/deliveries/pace.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/** Age up to which failed deliveries can be redelivered, in hours. */
const REDELIVER_HOURS = 24;
const BATCH = 500;

/**
 * Selects failed deliveries of one hook or of all live hooks. `before`: latest end, so that a delivery that
 * fails again is not repeated endlessly.
 */
export type FailedDeliveries = { workspaceId: string; hookId: string | null; before: Date };

/** Counts the deliveries that `redeliverFailed` would now send again. */
export async function countFailed(
  db: ReadDb,
  { workspaceId, hookId = null }: { workspaceId: string; hookId?: string | null | undefined },
): Promise<number> {
  if (hookId !== null && !isUuid(hookId)) return 0;
  const statement = Prisma.sql`
    select count(*)::int as failed
    from deliveries d join hooks h on h.id = d.hook_id
    where d.workspace_id = ${workspaceId}::uuid and d.outcome in ('dropped', 'exhausted')
      and d.ended_at > now() - make_interval(hours => ${REDELIVER_HOURS}::int)
      and h.removed_at is null and h.connection_id is not null and (${hookId}::uuid is null or h.id = ${hookId}::uuid)`;
  return runRead(db, statement, ([found]: { failed: number }[]) => found?.failed ?? 0);
}

/**
 * Queues the redelivery of all deliveries that failed within the last 24 hours and whose hook is live.
 * @returns the number of deliveries
 * @throws Refusal when there are none
 */
export async function redeliverFailed(
  tx: Tx,
  {
    workspaceId,
    hookId = null,
    by,
  }: { workspaceId: string; hookId?: string | null | undefined; by: Teammate },
): Promise<number> {
  const failed = await countFailed(tx, { workspaceId, hookId });
  if (failed === 0) {
    throw invalid({ deliveries: ['There are no failed events of the last 24 hours to send again.'] });
  }
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  await queueBatch(tx, { workspaceId, hookId, before: clock?.now ?? new Date() }, 0);
  await addAuditEntry(tx, {
    workspaceId,
    kind: 'failed_events_redelivered',
    by,
    data: { events: String(failed), ...(hookId ? { hookId } : {}) },
  });
  return failed;
}

/**
 * Makes the next 500 deliveries due, the oldest failures first, and queues the following batch for after
 * them. Paces their hooks in the meantime. Idempotent: skips deliveries that are already being sent.
 * @returns the number of redeliveries, and whether more remain
 */
export async function redeliverFailedBatch(
  which: FailedDeliveries,
): Promise<{ resent: number; more: boolean }> {
  const { chosen, hooks } = await inTransaction(async (tx) => {
    const batch = await resend(tx, which);
    await wakeHooks(
      tx,
      batch.hooks.map(({ hookId }) => hookId),
    );
    if (batch.chosen === BATCH) {
      const largest = Math.max(0, ...batch.hooks.map(({ count }) => count));
      await queueBatch(tx, which, Math.ceil(largest / THROTTLED_PER_SECOND));
    }
    return batch;
  });
  if (hooks.length > 0) publish(which.workspaceId, 'deliveries');
  return { resent: hooks.reduce((sum, { count }) => sum + count, 0), more: chosen === BATCH };
}

/**
 * Queues a batch. The key makes one chain for each request: a batch whose job runs again does not queue a
 * second successor.
 */
async function queueBatch(tx: Tx, which: FailedDeliveries, inSeconds: number): Promise<void> {
  const { workspaceId, hookId } = which;
  const before = which.before.toISOString();
  const key = ['redeliver-failed', workspaceId, hookId, before].join(' ');
  await queueJob(tx, 'redeliver-failed', { workspaceId, hookId, before }, { inSeconds, key });
}

type Batch = { chosen: number; hooks: { hookId: string; count: number }[] };

/** Makes one batch due. Locks hooks before their deliveries, in one order, as everywhere else. */
async function resend(tx: Tx, { workspaceId, hookId, before }: FailedDeliveries): Promise<Batch> {
  const [batch] = await tx.$queryRaw<Batch[]>`
    with chosen as materialized (
      select d.id, d.hook_id
      from deliveries d join hooks h on h.id = d.hook_id
      where d.workspace_id = ${workspaceId}::uuid and d.outcome in ('dropped', 'exhausted')
        and d.ended_at <= ${before}
        and d.ended_at > ${before}::timestamptz - make_interval(hours => ${REDELIVER_HOURS}::int)
        and h.removed_at is null and h.connection_id is not null and (${hookId}::uuid is null or h.id = ${hookId}::uuid)
      order by d.ended_at
      limit ${BATCH}::int
    ), served as materialized (
      select id from hooks
      where id in (select hook_id from chosen) and removed_at is null
      order by id
      for no key update
    ), resent as (
      update deliveries d set ended_at = null, outcome = null, next_attempt_at = now(),
        earlier_attempts = attempts, had_error_status = false
      from chosen c join served s on s.id = c.hook_id
      where d.id = c.id and d.outcome in ('dropped', 'exhausted') and d.ended_at <= ${before}
      returning d.hook_id
    ), counted as (
      select hook_id, count(*)::int as count from resent group by hook_id
    ), paced as (
      update hooks h set throttled_at = clock_timestamp()
      from counted c
      where h.id = c.hook_id
    )
    select (select count(*) from chosen)::int as chosen,
      (select coalesce(json_agg(json_build_object('hookId', hook_id, 'count', count) order by hook_id), '[]')
        from counted) as hooks`;
  return batch ?? { chosen: 0, hooks: [] };
}
