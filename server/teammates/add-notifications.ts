import { v7 as uuidv7 } from 'uuid';
import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { ALWAYS } from '#server/core/database/statement-parts.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Actor } from '#server/teammates/actor.ts';
import type { NotificationContent } from '#server/teammates/notification-content.ts';

/** A notification of a teammate. */
export type NewNotification = { userId: string } & NotificationContent;

type Notifications = {
  workspaceId: string;
  conversationId: string;
  actor: Actor;
  notifications: NewNotification[];
  now: Date;
};

/**
 * Notifies teammates of what happened to a conversation, in the transaction of the change. No one is notified of what
 * they did themselves, also not when a workflow did it in their name.
 */
export async function addNotifications(tx: Tx, given: Notifications): Promise<void> {
  const rows = notificationRows(given);
  if (!rows) return;
  await tx.$executeRaw(rows);
  afterCommit(tx, () => publish(given.workspaceId, 'notifications'));
}

/**
 * The same as a statement, to be a part of a larger one; null when no one is to be notified.
 * @param when what must hold for them to be written
 */
export function notificationRows(
  { workspaceId, conversationId, actor, notifications, now }: Notifications,
  when: Prisma.Sql = ALWAYS,
): Prisma.Sql | null {
  const authorId = 'teammate' in actor ? actor.teammate.id : null;
  const others = notifications.filter(({ userId }) => userId !== authorId);
  if (others.length === 0) return null;
  const rows = JSON.stringify(
    others.map(({ userId, kind, data }) => ({ id: uuidv7(), user_id: userId, kind, data })),
  );
  return Prisma.sql`
    insert into notifications (id, workspace_id, user_id, kind, conversation_id, data, created_at)
    select n.id, ${workspaceId}::uuid, n.user_id, n.kind, ${conversationId}::uuid, n.data, ${now}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as n (id uuid, user_id uuid, kind text, data jsonb)
    where ${when}`;
}
