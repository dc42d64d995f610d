import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** SQL: the contact, or a person in copy, wrote in the thread of the reply `p` after it was scheduled. */
export const IS_ANSWERED = Prisma.sql`exists (
  select from messages m
  where ${isIn(Prisma.sql`p.conversation_id`)} and m.created_at > p.created_at and m.direction = 'inbound' and not m.automatic)`;

/**
 * Returns whether the contact, or a person in copy, wrote after a time. The caller holds the conversation's lock.
 * @param seen ids of messages that do not count
 */
export async function wasAnswered(
  tx: SqlDb,
  { conversationId, since, seen = [] }: { conversationId: string; since: Date; seen?: string[] },
): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select 1 from messages m
    where ${isIn(Prisma.sql`${conversationId}::uuid`)} and m.created_at > ${since}::timestamptz
      and m.direction = 'inbound' and not m.automatic and m.id <> all (${seen}::uuid[])
    limit 1`;
  return found.length > 0;
}

/** Returns the condition that the message `m` is in the thread of a conversation, which shows those that were merged into it. */
function isIn(conversationId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`m.conversation_id = any (array(
    select ${conversationId} union all
    select c.id from conversations t join conversations c on c.workspace_id = t.workspace_id and c.merged_into_id = t.id
    where t.id = ${conversationId}))`;
}
