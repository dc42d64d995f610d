import type { Db } from '#server/core/database/db.ts';

/**
 * When the contact of a conversation last wrote in its thread, also in an earlier conversation of it: from then on the
 * windows of providers count.
 * @returns null when they never did
 */
export async function findLastReceived(db: Db, conversationId: string): Promise<Date | null> {
  const [found] = await db.$queryRaw<{ at: Date | null }[]>`
    select max(m.created_at) as at
    from conversations c
    join conversations t on t.id = c.id or (
      t.channel_account_id = c.channel_account_id and t.external_thread_id = c.external_thread_id)
    join messages m on m.conversation_id = t.id and m.direction = 'inbound' and not m.automatic
    where c.id = ${conversationId}::uuid`;
  return found?.at ?? null;
}
