import { afterCommit, type Tx } from '#server/ground/db.ts';
import { publish } from '#server/ground/publish/publish.ts';
import type { NotificationContent } from '#server/people/notify/notification-content.ts';
import type { Actor } from '#server/people/teammates/actor.ts';

/** Something to tell a teammate. */
export type NewNotification = { userId: string } & NotificationContent;

/**
 * Tells teammates what happened to a conversation, in the transaction of the change. Nobody is told of what they
 * did themselves, also not when a workflow did it in their name.
 */
export async function addNotifications(
  tx: Tx,
  {
    actor,
    notifications,
    now,
    ...at
  }: {
    workspaceId: string;
    conversationId: string;
    actor: Actor;
    notifications: NewNotification[];
    now: Date;
  },
): Promise<void> {
  const authorId = 'teammate' in actor ? actor.teammate.id : null;
  const data = notifications
    .filter(({ userId }) => userId !== authorId)
    .map((notification) => ({ ...at, ...notification, createdAt: now }));
  if (data.length === 0) return;
  await tx.notification.createMany({ data });
  afterCommit(tx, () => publish(at.workspaceId, 'notifications'));
}
