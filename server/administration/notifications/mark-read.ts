import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';

type Whose = { workspaceId: string; userId: string };

/** Marks a teammate's notification as read; one that is read, or not theirs in this workspace, stays as it is. */
export async function markRead(db: Db, { workspaceId, userId, id }: Whose & { id: string }): Promise<void> {
  if (!isUuid(id)) return;
  await db.notification.updateMany({
    where: { id, userId, workspaceId, readAt: null },
    data: { readAt: new Date() },
  });
}

/**
 * Marks all of a teammate's notifications in a workspace as read, but none that came after `until`: the newest one
 * they had before them. That is a moment in whole milliseconds, where the database knows smaller parts.
 */
export async function markAllRead(
  db: Db,
  { workspaceId, userId, until }: Whose & { until: Date },
): Promise<void> {
  await db.notification.updateMany({
    where: { userId, workspaceId, readAt: null, createdAt: { lt: new Date(until.getTime() + 1) } },
    data: { readAt: new Date() },
  });
}

/**
 * Marks a teammate's notifications of a conversation as read: they have it before them.
 * @returns whether anything was unread
 */
export async function markConversationRead(
  db: Db,
  { workspaceId, userId, conversationId }: Whose & { conversationId: string },
): Promise<boolean> {
  if (!isUuid(conversationId)) return false;
  const { count } = await db.notification.updateMany({
    where: { conversationId, userId, workspaceId, readAt: null },
    data: { readAt: new Date() },
  });
  // Other pages of the teammate count again.
  if (count > 0) publish(workspaceId, 'notifications');
  return count > 0;
}
