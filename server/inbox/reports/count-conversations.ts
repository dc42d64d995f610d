import { MAX, NIL } from 'uuid';
import { sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { countStatement } from '#server/inbox/reports/count-statement.ts';

/** Conversations that are counted in one transaction. */
const BATCH = 500;
/** Time of a job after which the next one continues, in ms. */
const BUDGET_MS = 30_000;

/** Time zone of a workspace, as SQL. */
const TIME_ZONE = Prisma.sql`coalesce(w.business_hours ->> 'timeZone', 'UTC')`;

type State = { timeZone: string; filledBefore: string | null; isFilled: boolean };

/**
 * Counts what changed since the last job, and then older conversations that were not counted yet: those from before the migration, and
 * all after a change of the time zone. Runs each minute.
 * @param budgetMs the next run continues after this time
 */
export async function countReports(budgetMs = BUDGET_MS): Promise<void> {
  const until = performance.now() + budgetMs;
  let after: string | null = NIL;
  while (performance.now() < until) {
    after = await nextWorkspace(after);
    if (after === null) return;
    while (performance.now() < until && (await countBatch(after))) {}
  }
}

/** Returns the next workspace with something to count, in the order of ids. */
async function nextWorkspace(after: string): Promise<string | null> {
  const [next] = await sql().$queryRaw<{ id: string }[]>`
    select least(
      (select c.workspace_id from report_changes c where c.workspace_id > ${after}::uuid order by c.workspace_id limit 1),
      (select w.id from workspaces w left join report_states s on s.workspace_id = w.id
       where w.id > ${after}::uuid and w.deleted_at is null and (s.filled_at is null or s.time_zone <> ${TIME_ZONE})
       order by w.id limit 1)) as id`;
  return next?.id ?? null;
}

/**
 * Counts up to `limit` changed conversations of a workspace and, if there are fewer, the next older ones. A conversation may be counted
 * again at any time. The lock of `report_states` leaves a workspace to one process at a time; the others do not wait.
 * @returns whether there is more to do
 */
export function countBatch(workspaceId: string, limit = BATCH): Promise<boolean> {
  return sqlTransaction(async (tx) => {
    await tx.$executeRaw`
      insert into report_states (workspace_id, time_zone)
      select w.id, ${TIME_ZONE} from workspaces w where w.id = ${workspaceId}::uuid
      on conflict do nothing`;
    const [state] = await tx.$queryRaw<State[]>`
      select ${TIME_ZONE} as "timeZone", s.filled_at is not null and s.time_zone = ${TIME_ZONE} as "isFilled",
        case when s.time_zone = ${TIME_ZONE} then s.filled_before end as "filledBefore"
      from report_states s join workspaces w on w.id = s.workspace_id
      where s.workspace_id = ${workspaceId}::uuid
      for update of s skip locked`;
    if (!state) return false;
    const { timeZone, isFilled, filledBefore } = state;
    const taken = await tx.$queryRaw<{ id: string }[]>`
      delete from report_changes where workspace_id = ${workspaceId}::uuid and id in (
        select id from report_changes where workspace_id = ${workspaceId}::uuid order by id limit ${limit}::int)
      returning conversation_id as id`;
    // Lock the conversations first, so that none is deleted before it is counted. The next statement sees everything that was committed before.
    // By their ids as a list: joined with the deletion, they could be read by a scan of all conversations.
    const changed =
      taken.length === 0
        ? []
        : await tx.$queryRaw<{ id: string }[]>`
            select id from conversations where id = any(${taken.map(({ id }) => id)}::uuid[]) order by id for key share`;
    const older = isFilled
      ? []
      : await tx.$queryRaw<{ id: string }[]>`
          select id from conversations
          where workspace_id = ${workspaceId}::uuid and id < ${filledBefore ?? MAX}::uuid
          order by id desc limit ${Math.max(limit - changed.length, 1)}::int for key share`;
    const ids = [...new Set([...changed, ...older].map(({ id }) => id))];
    if (ids.length > 0) await tx.$executeRaw(countStatement({ workspaceId, ids, timeZone }));
    if (!isFilled) {
      await tx.$executeRaw`
        update report_states set time_zone = ${timeZone}, filled_before = ${older.at(-1)?.id ?? filledBefore}::uuid,
          filled_at = case when ${older.length === 0}::boolean then now() end
        where workspace_id = ${workspaceId}::uuid`;
    }
    return taken.length > 0 || older.length > 0;
  });
}
