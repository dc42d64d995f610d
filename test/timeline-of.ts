import { db } from '#server/core/database/db.ts';

/** The timeline of a conversation, oldest first, without ids and times. */
export async function timelineOf(conversationId: string) {
  const rows = await db().timelineEntry.findMany({
    where: { conversationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ kind, actorKind, data }) => ({ kind, actorKind, data }));
}
