import { inTransaction } from '#server/core/database/db.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { setStatus } from '#server/inbox/conversations/set-status.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';

/**
 * Opens a conversation again when the AI agent's answer could not be sent: the contact still waits, and the team is to
 * see it. Not when something else was written or decided since.
 */
export async function reopenUnanswered(given: {
  workspaceId: string;
  conversationId: string;
  answerId: string;
}): Promise<void> {
  const { workspaceId, conversationId, answerId } = given;
  await inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const newest = await tx.message.findFirst({
      where: { conversationId },
      select: { id: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
    const isWaiting = conversation.status === 'pending' || conversation.status === 'solved';
    if (newest?.id !== answerId || !isWaiting || conversation.mergedIntoId !== null) return;
    const now = new Date();
    const change = setStatus(conversation, { status: 'open', now });
    await writeChange(tx, conversation, { actor: { kind: 'automatic' }, change, now });
  });
}
