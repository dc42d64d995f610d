import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';

type Owner = { workspaceId: string; userId: string };

/** Marks a notification as read if it belongs to this teammate and workspace and is unread. */
export async function markRead(db: Db, { workspaceId, userId, id }: Owner & { id: string }): Promise<void> {
  if (!isUuid(id)) return;
  await db.notification.updateMany({
    where: { id, userId, workspaceId, readAt: null },
    data: { readAt: new Date() },
  });
}

/**
 * Marks a teammate's notifications in a workspace as read, up to and including `until`, the newest that the
 * teammate saw. `until` has whole milliseconds and the column has microseconds, so one millisecond is added.
 */
export async function markAllRead(
  db: Db,
  { workspaceId, userId, until }: Owner & { until: Date },
): Promise<void> {
  await db.notification.updateMany({
    where: { userId, workspaceId, readAt: null, createdAt: { lt: new Date(until.getTime() + 1) } },
    data: { readAt: new Date() },
  });
}

/**
 * Marks a teammate's notifications about a conversation as read.
 * @returns whether any was unread
 */
export async function markConversationRead(
  db: Db,
  { workspaceId, userId, conversationId }: Owner & { conversationId: string },
): Promise<boolean> {
  if (!isUuid(conversationId)) return false;
  const { count } = await db.notification.updateMany({
    where: { conversationId, userId, workspaceId, readAt: null },
    data: { readAt: new Date() },
  });
  // The teammate's other open pages refresh their count.
  if (count > 0) publish(workspaceId, 'notifications');
  return count > 0;
}
