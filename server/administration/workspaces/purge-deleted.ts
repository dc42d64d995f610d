import { BATCH, changeInBatches } from '#server/administration/members/change-in-batches.ts';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import { log } from '#server/core/log.ts';
import { IS_PAST_RESTORING, RESTORE_DAYS } from '#server/inbox/conversations/removal.ts';

type Due = { id: string };

const FIND = `
  with due as materialized (select id from conversations where ${IS_PAST_RESTORING})
  select id from due where id > $2 order by id limit $1`;

/** The deleted conversation and those that were merged into it. */
const REMOVED = `
  removed as materialized (
    select c.id, c.workspace_id from conversations d join conversations c on c.workspace_id = d.workspace_id
      and (c.id = d.id or c.merged_into_id = d.id)
    where d.id = (select id from conversations where id = $1 and ${IS_PAST_RESTORING})
  )`;

/**
 * Deletes bodies of events, with their deliveries. Lock order everywhere: hooks by id, then deliveries. Attempts are recorded
 * under the same locks, so the slow search through all events comes before them.
 */
const EVENTS = `
  with ${REMOVED}, chosen as materialized (
    select e.id from removed r join events e on e.workspace_id = r.workspace_id
      and e.body::jsonb #>> '{conversation,id}' = r.id::text
    limit ${BATCH}
  ), locked_hooks as materialized (
    select id from hooks where id in (select d.hook_id from deliveries d join chosen c on c.id = d.event_id)
    order by id for no key update
  )
  delete from events where id in (select id from chosen) and (select count(*) from locked_hooks) >= 0`;

/**
 * The foreign keys delete notes, timeline, samples, notifications and the rest of a conversation. Triggers expire its files.
 */
const CONTENT = [
  `with ${REMOVED} delete from messages where id in (
     select m.id from removed r join messages m on m.conversation_id = r.id limit ${BATCH})`,
  `with ${REMOVED} delete from conversations where id in (select id from removed where id <> $1 limit ${BATCH})`,
  `with ${REMOVED} delete from conversations where id in (select id from removed)`,
];

/**
 * Permanently removes conversations that were deleted `RESTORE_DAYS` ago, in batches. Another run continues after the time
 * limit. A conversation cannot be restored after that time, so none is restored without its content.
 * @param limits of this run; the next run continues
 * @returns the number of removed conversations
 */
export async function purgeDeleted(limits?: Partial<RunLimits>): Promise<number> {
  // With a shorter history, no event is as old as the deletion, so the slow search through all events is skipped.
  const statements = settings().HISTORY_DAYS >= RESTORE_DAYS ? [EVENTS, ...CONTENT] : CONTENT;
  return processDue<Due>('conversation.not_purged', {
    find: async (limit, after) => (await pool().query<Due>(FIND, [limit, after])).rows,
    work: async ({ id }) => {
      const isDone = await changeInBatches(statements, id);
      if (isDone) log().info({ conversationId: id }, 'conversation.purged');
      return isDone;
    },
    ...limits,
  });
}
