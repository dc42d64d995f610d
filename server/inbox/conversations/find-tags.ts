import type { RawDb } from '#server/core/database/prepared.ts';

/** The tags of a conversation as they are spelled, in the order in which they were added. */
export async function findTags(db: RawDb, conversationId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    select name from conversation_tags where conversation_id = ${conversationId}::uuid
    order by created_at, position, key`;
  return rows.map(({ name }) => name);
}
