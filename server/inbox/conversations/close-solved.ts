import { pool } from '#server/core/database/pools.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import { setStatus } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';

type Due = { id: string; workspaceId: string };

/**
 * Solved conversations of workspaces that close them, solved for at least as many days as the workspace says: by the
 * partial index `conversations_solved`, and by the database's clock.
 */
const FIND = `
  with due as materialized (
    select solved.id, w.id as "workspaceId"
    from workspaces w
    cross join lateral (
      select c.id from conversations c
      where c.workspace_id = w.id and c.status = 'solved' and c.merged_into_id is null and not c.is_test
        and c.status_changed_at <= now() - make_interval(days => w.close_solved_after_days)
      offset 0
    ) solved
    where w.close_solved_after_days is not null and w.deleted_at is null
  )
  select * from due where id > $2 order by id limit $1`;

/**
 * Closes conversations that have been solved for as long as their workspace says (decisions: conversations and
 * contacts, 4). Each is locked and looked at again, so that two workers close none twice and none that was reopened
 * meanwhile. Emits `conversation.status_changed`, made automatically.
 * @param some how much of it is done now; the rest is done the next time
 * @returns how many were closed
 */
export async function closeSolved(some?: Partial<RunLimits>): Promise<number> {
  return processDue('conversation.not_closed', {
    find: async (limit, after) => (await pool().query<Due>(FIND, [limit, after])).rows,
    work: close,
    ...some,
  });
}

/** Returns whether it was closed. */
async function close(which: Due): Promise<boolean> {
  return sqlTransaction(async (tx) => {
    const conversation = await lockConversation(tx, which);
    const [due] = await tx.$queryRaw<unknown[]>`
      select 1 from conversations c join workspaces w on w.id = c.workspace_id
      where c.id = ${conversation.id}::uuid and c.status = 'solved' and c.merged_into_id is null
        and c.status_changed_at <= now() - make_interval(days => w.close_solved_after_days)`;
    if (!due) return false;
    const now = new Date();
    const change = setStatus(conversation.record, { status: 'closed', now });
    await persistChange(tx, conversation, { actor: { kind: 'automatic' }, change, now });
    return true;
  });
}
