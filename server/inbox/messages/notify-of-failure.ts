import type { Tx } from '#server/core/database/db.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { addNotifications } from '#server/teammates/add-notifications.ts';

type FailedMessage = { id: string; authorId: string | null; authorName: string | null };

/**
 * Notifies the author, if still in the workspace, and the assignee that a message was not delivered, so that
 * someone sends it again. Nothing of conversations from testing the AI agent.
 * @param given.why a sentence
 */
export async function notifyOfFailure(
  tx: Tx,
  given: { conversation: LockedConversation; message: FailedMessage; why: string; now: Date },
): Promise<void> {
  const { conversation, message, why, now } = given;
  if (conversation.isTest) return;
  const { id: conversationId, workspaceId } = conversation;
  const { id: messageId, authorId, authorName: byName } = message;
  const recipients = await findAuthorAndAssignee(tx, { conversation, authorId });
  await addNotifications(tx, {
    workspaceId,
    conversationId,
    actor: { kind: 'automatic' },
    notifications: recipients.map((userId) => ({
      userId,
      kind: 'message_failed',
      data: { messageId, why, isYours: userId === authorId, byName },
    })),
    now,
  });
}

/** The ids of those who are to know that something did not leave, each once; who has left the workspace is not. */
export async function findAuthorAndAssignee(
  tx: Tx,
  {
    conversation: { workspaceId, assignee },
    authorId,
  }: { conversation: Pick<LockedConversation, 'workspaceId' | 'assignee'>; authorId: string | null },
): Promise<string[]> {
  const ids = [authorId, assignee?.id].flatMap((id) => id ?? []);
  const members = await tx.member.findMany({
    where: { workspaceId, userId: { in: ids } },
    select: { userId: true },
  });
  return members.map(({ userId }) => userId);
}
