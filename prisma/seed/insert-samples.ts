import type { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Fills `samples` like `recordEvents`: the newest tagging, rating, contact message and command run of each
 * conversation, also by tag and command. Merged and test conversations have none.
 */
export async function insertSamples(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`
    insert into samples (workspace_id, conversation_id, event, filter, subject_id, occurred_at)
    select distinct on (conversation_id, event, filter)
      c.workspace_id, conversation_id, event, filter, subject_id, occurred_at
    from (
      select conversation_id, 'conversation.tagged', '', id, created_at from taggings
      union all
      select g.conversation_id, 'conversation.tagged', t.key, g.id, g.created_at
      from taggings g join tagging_tags t on t.tagging_id = g.id
      union all
      select conversation_id, 'conversation.rated', '', id, created_at from ratings
      union all
      select conversation_id, 'message.received', '', id, created_at from messages where direction = 'inbound'
      union all
      select conversation_id, 'operator.command', '', id, created_at from command_runs
      union all
      select conversation_id, 'operator.command', command, id, created_at from command_runs
    ) happened (conversation_id, event, filter, subject_id, occurred_at)
    join conversations c on c.id = conversation_id and c.merged_into_id is null and not c.is_test
    order by conversation_id, event, filter, occurred_at desc, subject_id desc`;
}
