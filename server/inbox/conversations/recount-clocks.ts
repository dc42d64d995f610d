import { afterCommit } from '#server/core/database/after-commit.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { countedClock, IS_RUNNING } from '#server/inbox/conversations/sla-clocks.ts';

/** Conversations per transaction, and the time after which the rest is left to another job, in ms. */
const BATCH_ROWS = 200;
const BUDGET_MS = 10_000;

/** Changes that read the hours before they were changed are committed by then. */
const DELAY_SECONDS = 3;

const START = '00000000-0000-0000-0000-000000000000';

/** Queues the job that counts the running SLA clocks of a workspace by its business hours, after they were changed. */
export function queueRecount(tx: SqlDb, workspaceId: string): Promise<void> {
  const options = { queue: 'recount-clocks', key: `recount-clocks:${workspaceId}`, inSeconds: DELAY_SECONDS };
  return queueJob(tx, 'recount-clocks', { workspaceId }, options);
}

/**
 * Moves the due times of the workspace's running SLA clocks to the current business hours, as if these had applied since the clock
 * started or resumed. Leaves missed clocks. Paused clocks follow when they resume.
 * @param after the last conversation of the job before
 */
export async function recountClocks({
  workspaceId,
  after = START,
}: {
  workspaceId: string;
  after?: string | undefined;
}): Promise<void> {
  const stopAt = performance.now() + BUDGET_MS;
  for (let last: string | null = after; last !== null; ) {
    const isLate = performance.now() >= stopAt;
    last = await recountBatch({ workspaceId, after: last, isLate });
    if (isLate) return;
  }
}

/** Counts a batch and returns its last conversation, or null after the last one. `isLate`: queues a job for the rest. */
async function recountBatch(range: {
  workspaceId: string;
  after: string;
  isLate: boolean;
}): Promise<string | null> {
  const { workspaceId, after, isLate } = range;
  return sqlTransaction(async (tx) => {
    // Conversations before their clocks, in the order of their ids: the usual lock order.
    const locked = await tx.$queryRaw<{ id: string }[]>`
      with due as materialized (
        select id from conversations where workspace_id = ${workspaceId}::uuid and next_due_at is not null
      )
      select id from conversations
      where id in (select id from due where id > ${after}::uuid order by id limit ${BATCH_ROWS}::int)
      order by id for no key update`;
    const ids = locked.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return null;
    const changed = await tx.$executeRaw`
      update sla_clocks s set counted_from = r.counted_from, remaining_ms = r.remaining_ms, due_at = r.due_at
      from (
        select k.id, ${countedClock(Prisma.sql`coalesce(t.business_hours, w.business_hours)`)}
        from sla_clocks k
        join conversations c on c.id = k.conversation_id
        join workspaces w on w.id = c.workspace_id
        left join teams t on t.id = c.team_id and t.deleted_at is null
        where k.conversation_id = any (${ids}::uuid[]) and ${IS_RUNNING}
      ) as r
      where s.id = r.id and s.due_at <> r.due_at`;
    if (changed > 0) afterCommit(tx, () => publish(workspaceId, 'conversations'));
    if (isLate)
      await queueJob(tx, 'recount-clocks', { workspaceId, after: last }, { queue: 'recount-clocks' });
    return last;
  });
}
