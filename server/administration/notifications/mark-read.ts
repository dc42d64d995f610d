import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

type Owner = { workspaceId: string; userId: string };

/** Marks a notification as read if it belongs to this teammate and workspace and is unread. */
export async function markRead(db: Db, { workspaceId, userId, id }: Owner & { id: string }): Promise<void> {
  if (!isUuid(id)) return;
  await mark(db, { id, userId, workspaceId });
}

/**
 * Marks a teammate's notifications in a workspace as read, up to and including `until`, the newest that the
 * teammate saw. `until` has whole milliseconds and the column has microseconds, so one millisecond is added.
 */
export async function markAllRead(
  db: Db,
  { workspaceId, userId, until }: Owner & { until: Date },
): Promise<void> {
  await mark(db, { userId, workspaceId, createdAt: { lt: new Date(until.getTime() + 1) } });
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
  return mark(db, { conversationId, userId, workspaceId });
}

/** Marks the unread notifications among these as read, and has the teammate's other open pages refresh their count. */
async function mark(
  db: Db,
  where: Owner & Pick<Prisma.NotificationWhereInput, 'id' | 'conversationId' | 'createdAt'>,
): Promise<boolean> {
  const { count } = await db.notification.updateMany({
    where: { ...where, readAt: null },
    data: { readAt: new Date() },
  });
  if (count > 0) publish(where.workspaceId, 'notifications');
  return count > 0;
}
