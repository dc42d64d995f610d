import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { queueSend } from '#server/inbox/messages/outgoing-message.ts';
import { finishSent, outcomeSelect } from '#server/inbox/messages/record-outcome.ts';
import { requireReplier } from '#server/inbox/messages/save-reply.ts';

const HELD =
  'This message is still held: sending email needs the Growth plan or higher and a verified email domain.';
const UNDER_WAY = 'This message was already sent, or is about to be sent again.';

/** The statuses of messages that were not sent and can be sent again. */
const UNSENT = ['failed', 'held_for_paywall'] as const;

/**
 * Queues a failed or held message again, unchanged and in its author's name. Of a message in parts, only those that did not
 * arrive are sent again (`sendParts`), and an email goes only to the recipients who did not get it, if others did (`undeliveredTo`). One conditional statement, so parallel calls send the message once. Changes nothing
 * else: no assignment, no timeline entry. As with a new reply, the contact no longer waits. The API shows `send_status` as `null` until the message is `sent` or
 * `failed` again.
 * @param by the teammate who sends the message again
 * @throws Refusal when that teammate may not reply, the message does not exist, was already sent or would be held again,
 *   or the conversation was merged
 */
export async function resendMessage(failed: {
  workspaceId: string;
  conversationId: string;
  messageId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, conversationId, messageId, by } = failed;
  if (!isUuid(messageId)) throw notFound('The message');
  await inTransaction(async (tx) => {
    await requireReplier(tx, workspaceId, by);
    const conversation = await lockForChange(tx, { workspaceId, id: conversationId });
    const isForward = (await tx.message.count({ where: { id: messageId, direction: 'forward' } })) > 0;
    const channel = isForward ? 'email' : conversation.record.channel;
    const firstStatus = await CHANNELS[channel].firstStatus(tx, conversation);
    const isHeld = firstStatus === 'held_for_paywall';
    const which = { id: messageId, workspaceId, conversationId, direction: { not: 'inbound' as const } };
    const [message] = await tx.message.updateManyAndReturn({
      where: { ...which, sendStatus: { in: isHeld ? [] : [...UNSENT] } },
      data: {
        sendStatus: firstStatus === 'sending' ? 'queued' : firstStatus,
        deliveryError: null,
        failureDismissedAt: null,
        sendStartedAt: null,
        deferrals: 0,
      },
      select: outcomeSelect,
    });
    if (!message) {
      const found = await tx.message.findFirst({ where: which, select: { sendStatus: true } });
      if (!found) throw notFound('The message');
      const isUnsent = UNSENT.some((status) => status === found.sendStatus);
      throw invalid({ message: [isHeld && isUnsent ? HELD : UNDER_WAY] });
    }
    await endWaiting(tx, messageId);
    if (firstStatus === 'sending') await queueSend(tx, messageId, { channel });
    // The channel needs no sending: a saved message has arrived.
    else await finishSent(tx, { conversation, message, sendStatus: null, now: new Date() });
    afterCommit(tx, () => {
      log().info({ messageId, by: by.id }, 'message.sent_again');
      publish(workspaceId, 'conversations');
    });
  });
}

/** Records that the contact no longer waits, unless they wrote after the reply. Another failure restores it (`reopenUnanswered`). */
async function endWaiting(tx: Tx, replyId: string): Promise<void> {
  await tx.$executeRaw`
    update conversations c set waiting_since = null from messages r
    where r.id = ${replyId}::uuid and c.id = r.conversation_id and c.waiting_since is not null
      and r.direction = 'outbound' and r.author_kind <> 'automatic' and not exists (
        select from messages m
        where m.conversation_id = c.id and m.direction = 'inbound' and not m.automatic and m.created_at > r.created_at)`;
}
