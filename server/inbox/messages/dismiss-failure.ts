import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { requireReplier } from '#server/inbox/messages/save-reply.ts';

/**
 * Dismisses the failure of a message, so that its conversation is no longer listed as not sent, or shows it again. The
 * message keeps its status and can still be sent again. Repeated calls change nothing.
 * @throws Refusal when that teammate may not reply, there is no such failed message, or the conversation was merged
 */
export async function dismissFailure(change: {
  workspaceId: string;
  conversationId: string;
  messageId: string;
  isDismissed: boolean;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, conversationId, messageId, isDismissed, by } = change;
  if (!isUuid(messageId)) throw notFound('The message');
  await inTransaction(async (tx) => {
    await requireReplier(tx, workspaceId, by);
    await lockForChange(tx, { workspaceId, id: conversationId });
    const which = { id: messageId, workspaceId, conversationId, direction: { not: 'inbound' as const } };
    const { count } = await tx.message.updateMany({
      where: {
        ...which,
        OR: [
          { sendStatus: { in: ['failed', 'held_for_paywall'] } },
          { sendStatus: null, deliveryError: { not: null } },
        ],
      },
      data: { failureDismissedAt: isDismissed ? new Date() : null },
    });
    if (count === 0) {
      if ((await tx.message.count({ where: which })) === 0) throw notFound('The message');
      throw invalid({ message: ['This message was sent meanwhile, or is being sent again.'] });
    }
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}
