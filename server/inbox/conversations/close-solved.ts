import { sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import { setStatus } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';

type Due = { id: string; workspaceId: string };

/**
 * Closes conversations that have been solved for the number of days set by their workspace (docs/rulings.md 3.4).
 * Locks and checks each conversation again: another worker may have closed it, or a contact reopened it. Emits
 * `conversation.status_changed`, with the actor `automatic`.
 * @param limits of this run; the next run continues
 * @returns the number of closed conversations
 */
export async function closeSolved(limits?: Partial<RunLimits>): Promise<number> {
  return processDue('conversation.not_closed', {
    find: findDue,
    work: close,
    ...limits,
  });
}

/**
 * Finds conversations that were solved `close_solved_after_days` or more ago, by the database's time. Uses the partial
 * index `conversations_solved`.
 */
function findDue(limit: number, after: string): Promise<Due[]> {
  return sql().$queryRaw<Due[]>`
    with due as materialized (
      select solved.id, w.id as "workspaceId"
      from workspaces w
      cross join lateral (
        select c.id from conversations c
        where c.workspace_id = w.id and c.status = 'solved' and c.merged_into_id is null and not c.is_test and c.removal is null
          and c.status_changed_at <= now() - make_interval(days => w.close_solved_after_days)
        offset 0
      ) solved
      where w.close_solved_after_days is not null and w.deleted_at is null
    )
    select * from due where id > ${after}::uuid order by id limit ${limit}::int`;
}

async function close(which: Due): Promise<boolean> {
  return sqlTransaction(async (tx) => {
    const conversation = await lockConversation(tx, which);
    const [due] = await tx.$queryRaw<unknown[]>`
      select 1 from conversations c join workspaces w on w.id = c.workspace_id
      where c.id = ${conversation.id}::uuid and c.status = 'solved' and c.merged_into_id is null and c.removal is null
        and c.status_changed_at <= now() - make_interval(days => w.close_solved_after_days)`;
    if (!due) return false;
    const now = new Date();
    const change = setStatus(conversation.record, { status: 'closed', now, because: 'stayed_solved' });
    await persistChange(tx, conversation, { actor: { kind: 'automatic' }, change, now });
    return true;
  });
}
