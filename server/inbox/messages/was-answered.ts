import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** SQL: the contact, or a person in copy, wrote in the conversation of the reply `p` after it was scheduled. */
export const IS_ANSWERED = Prisma.sql`exists (
  select from messages m
  where m.conversation_id = p.conversation_id and m.created_at > p.created_at and m.direction = 'inbound' and not m.automatic)`;

/**
 * Returns whether the contact, or a person in copy, wrote after a time. The caller holds the conversation's lock.
 * @param seen ids of messages that do not count
 */
export async function wasAnswered(
  tx: SqlDb,
  { conversationId, since, seen = [] }: { conversationId: string; since: Date; seen?: string[] },
): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select 1 from messages
    where conversation_id = ${conversationId}::uuid and created_at > ${since}::timestamptz
      and direction = 'inbound' and not automatic and id <> all (${seen}::uuid[])
    limit 1`;
  return found.length > 0;
}
