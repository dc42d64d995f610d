import { sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import { setStatus } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';

type Due = { id: string; workspaceId: string };

/**
 * Reopens conversations whose snooze is due, at the top of the inbox. Locks and checks each conversation again: another
 * worker may have reopened it, or its contact may have written. Emits `conversation.status_changed`, with the actor
 * `automatic`.
 * @param limits of this run; the next run continues
 * @returns the number of reopened conversations
 */
export async function endSnoozes(limits?: Partial<RunLimits>): Promise<number> {
  return processDue('conversation.still_snoozed', {
    find: findDue,
    work: endSnooze,
    ...limits,
  });
}

/** Finds snoozes that are due by the database's time, from the partial index `conversations_snoozed`. */
function findDue(limit: number, after: string): Promise<Due[]> {
  return sql().$queryRaw<Due[]>`
    with due as materialized (
      select id, workspace_id as "workspaceId" from conversations
      where snoozed_until <= now() and merged_into_id is null and removal is null
    )
    select * from due where id > ${after}::uuid order by id limit ${limit}::int`;
}

async function endSnooze(which: Due): Promise<boolean> {
  return sqlTransaction(async (tx) => {
    const conversation = await lockConversation(tx, which);
    const [due] = await tx.$queryRaw<unknown[]>`
      select 1 from conversations
      where id = ${conversation.id}::uuid and snoozed_until <= now() and merged_into_id is null and removal is null`;
    if (!due) return false;
    const now = new Date();
    const change = setStatus(conversation.record, { status: 'open', now });
    await persistChange(tx, conversation, {
      actor: { kind: 'automatic' },
      change: {
        ...change,
        // The inbox sorts by this time.
        columns: { ...change.columns, lastMessageAt: now },
        entries: [{ kind: 'snooze_ended', data: {} }],
      },
      now,
    });
    return true;
  });
}
