import type { Db } from '#server/ground/db.ts';
import { conversationRow, conversationRowSelect } from '#server/inbox/conversations/conversation-row.ts';
import type { InboxRow } from '#server/inbox/conversations/views.ts';

/** The conversations of these ids as the inbox shows them, in this order; one round trip. */
export async function inboxRows(
  db: Db,
  { workspaceId, ids }: { workspaceId: string; ids: string[] },
): Promise<InboxRow[]> {
  if (ids.length === 0) return [];
  const found = await db.conversation.findMany({
    where: { workspaceId, id: { in: ids } },
    select: {
      ...conversationRowSelect,
      tags: { select: { name: true }, orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { key: 'asc' }] },
      slaClocks: {
        where: { stoppedAt: null, pausedAt: null },
        select: { dueAt: true },
        orderBy: { dueAt: 'asc' },
        take: 1,
      },
    },
    relationLoadStrategy: 'join',
  });
  const rows = new Map(
    found.map(({ tags, slaClocks, ...row }) => [
      row.id,
      {
        ...conversationRow(row),
        tags: tags.map(({ name }) => name),
        dueAt: slaClocks[0]?.dueAt ?? null,
      },
    ]),
  );
  return ids.flatMap((id) => rows.get(id) ?? []);
}
