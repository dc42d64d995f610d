import type { SqlDb } from '#server/core/database/sql.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Maximum runs of a flow for one conversation within an hour. */
export const RUNS_PER_HOUR = 10;

type Run = { workspaceId: string; conversationId: string; flowId: string; byPerson: boolean; now: Date };

/**
 * Counts a run of a flow for a locked conversation. A flow that ran `RUNS_PER_HOUR` times within an hour is stopped for the
 * conversation until someone saves the flow or turns it on again: a program or workflow probably reverts what it does.
 * @param run.byPerson a teammate or the contact caused the run. It is not counted, because a lively chat has many of them
 * @returns `stopped_now` for the run that stops it, `stopped` afterwards
 */
export async function countRun(
  tx: SqlDb,
  { workspaceId, conversationId, flowId, byPerson, now }: Run,
): Promise<'counted' | 'stopped_now' | 'stopped'> {
  const isSameHour = Prisma.sql`r.counted_from > ${now}::timestamptz - interval '1 hour'`;
  const count = byPerson ? 0 : 1;
  const [counted] = await tx.$queryRaw<{ isStopped: boolean }[]>`
    insert into flow_runs as r (conversation_id, flow_id, workspace_id, counted_from, runs, last_run_at)
    values (${conversationId}::uuid, ${flowId}::uuid, ${workspaceId}::uuid, ${now}::timestamptz, ${count}::int, ${now}::timestamptz)
    on conflict (conversation_id, flow_id) do update set
      counted_from = case when ${isSameHour} then r.counted_from else ${now}::timestamptz end,
      runs = case when ${isSameHour} then r.runs else 0 end + ${count}::int,
      last_run_at = ${now}::timestamptz,
      stopped_at = case when ${isSameHour} and r.runs + ${count}::int > ${RUNS_PER_HOUR}::int then ${now}::timestamptz end
    where r.stopped_at is null
    returning stopped_at is not null as "isStopped"`;
  if (!counted) return 'stopped';
  return counted.isStopped ? 'stopped_now' : 'counted';
}

/** Lets a flow run again for the conversations for which it was stopped. */
export async function clearStops(tx: SqlDb, flowId: string): Promise<void> {
  await tx.$executeRaw`delete from flow_runs where flow_id = ${flowId}::uuid and stopped_at is not null`;
}

/** Removes counts that no longer matter, and causes whose job has failed for a week. */
export async function removeOldFlowRuns(): Promise<void> {
  await removeInBatches(`
    delete from flow_runs where ctid = any (array(
      select ctid from flow_runs where last_run_at < now() - interval '30 days' and stopped_at is null
      limit ${BATCH_ROWS} for update skip locked))`);
  await removeInBatches(`
    delete from flow_causes where ctid = any (array(
      select ctid from flow_causes where created_at < now() - interval '7 days'
      limit ${BATCH_ROWS} for update skip locked))`);
}
