import type { Tx } from '#server/core/database/prisma.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addNotifications } from '#server/teammates/add-notifications.ts';

/** Notifies the authors of replies that wait in a conversation and are not sent as they are. */
export async function notifyAuthors(
  tx: Tx,
  held: {
    workspaceId: string;
    conversationId: string;
    actor: Actor;
    replies: readonly { authorId: string }[];
    why: string;
    now: Date;
  },
): Promise<void> {
  const { workspaceId, conversationId, actor, replies, why, now } = held;
  const notifications = replies.map(({ authorId: userId }) => ({
    userId,
    kind: 'reply_not_sent' as const,
    data: { why, byName: null },
  }));
  await addNotifications(tx, { workspaceId, conversationId, actor, notifications, now });
}
