import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Fills `samples` like `recordEvents`, for the conversations `c` that the condition selects: the newest tagging, rating,
 * contact message that is not automatic and command run of each, also by tag and command. Merged and test conversations have none.
 */
export async function restoreSamples(tx: SqlDb, where: Prisma.Sql = Prisma.sql`true`): Promise<void> {
  await tx.$executeRaw`
    insert into samples (workspace_id, conversation_id, event, filter, subject_id, occurred_at)
    select distinct on (c.id, event, filter)
      c.workspace_id, c.id, event, filter, subject_id, occurred_at
    from conversations c cross join lateral (
      select 'conversation.tagged', '', id, created_at from taggings where conversation_id = c.id
      union all
      select 'conversation.tagged', t.key, g.id, g.created_at
      from taggings g join tagging_tags t on t.tagging_id = g.id where g.conversation_id = c.id
      union all
      select 'conversation.rated', '', id, created_at from ratings where conversation_id = c.id
      union all
      (select 'message.received', '', id, created_at from messages
        where conversation_id = c.id and direction = 'inbound' and not automatic order by created_at desc, id desc limit 1)
      union all
      select 'operator.command', '', id, created_at from command_runs where conversation_id = c.id
      union all
      select 'operator.command', command, id, created_at from command_runs where conversation_id = c.id
    ) happened (event, filter, subject_id, occurred_at)
    where c.merged_into_id is null and not c.is_test and ${where}
    order by c.id, event, filter, occurred_at desc, subject_id desc
    on conflict do nothing`;
}
