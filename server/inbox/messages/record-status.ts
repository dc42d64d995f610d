import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { NotYet } from '#server/inbox/messages/edit-message.ts';
import {
  finishSent,
  notifyOfFailure,
  outcomeSelect,
  recordFailure,
} from '#server/inbox/messages/record-outcome.ts';
import { reopenUnanswered } from '#server/inbox/messages/reopen-unanswered.ts';

const NO_REASON = 'The provider did not deliver the message and gave no reason.';

/**
 * Records a delivery status that a provider reports after sending. Reports can be late, out of order and repeated. A
 * failure is final, and author and assignee are notified once. A success only changes a message without a status.
 * @param providerId the provider's id of the message, or of one of its parts
 * @throws NotYet when a failure arrives while a message is still being sent, or sent again
 */
export async function recordStatus(report: {
  workspaceId: string;
  channelAccountId: string | null;
  providerId: string;
  status: 'sent' | 'failed';
  reason: string | null;
}): Promise<void> {
  const { workspaceId, channelAccountId, status } = report;
  const found = await findOutgoingByProviderId(report);
  if (!found) {
    const where = { workspaceId, sendStatus: 'sending' as const, conversation: { channelAccountId } };
    if (status === 'failed' && (await db().message.count({ where })) > 0) throw new NotYet('The message');
    return;
  }
  const { id, conversationId } = found;
  await inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const select = { ...outcomeSelect, sendStatus: true };
    const { sendStatus, ...message } = await tx.message.findUniqueOrThrow({ where: { id }, select });
    const now = new Date();
    if (status === 'failed') {
      // The failure belongs to an earlier attempt. Its other parts may have arrived, and are not sent again.
      if (sendStatus === 'queued' || sendStatus === 'sending') throw new NotYet('The outcome of the message');
      const why = report.reason ?? NO_REASON;
      if (await markUndelivered(tx, { conversation, message, why, from: { not: 'failed' }, now })) return;
      // A part of a message that failed before did not arrive either: sending it again sends every part.
      await tx.message.updateMany({ where: { id, sendStatus: 'failed' }, data: { providerIds: [] } });
      return;
    }
    const { count } = await tx.message.updateMany({
      where: { id, sendStatus: null },
      data: { sendStatus: 'sent' },
    });
    if (count === 0) return;
    await finishSent(tx, { conversation, message, sendStatus: 'sent', now });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** Finds an outgoing message by the provider's id of the message or of one of its parts. */
export async function findOutgoingByProviderId(which: {
  workspaceId: string;
  providerId: string;
}): Promise<{ id: string; conversationId: string } | undefined> {
  const { workspaceId, providerId } = which;
  const [found] = await sql().$queryRaw<{ id: string; conversationId: string }[]>`
    select id, conversation_id as "conversationId" from messages
    where workspace_id = ${workspaceId}::uuid and direction = 'outbound' and external_id = ${providerId}
    union
    select id, conversation_id from messages
    where provider_ids <> '{}' and provider_ids @> array[${providerId}]
      and workspace_id = ${workspaceId}::uuid and direction = 'outbound'
    limit 1`;
  return found;
}

/**
 * Marks a message that was sent as failed, emits `reply.failed`, and notifies its author and the assignee once. Reopens
 * the conversation after an answer of the AI agent.
 * @param from the statuses in which a message can fail, besides none
 * @returns whether the message changed
 */
export async function markUndelivered(
  tx: Tx,
  undelivered: Parameters<typeof recordFailure>[1] & {
    from: NonNullable<Prisma.MessageWhereInput['sendStatus']>;
  },
): Promise<boolean> {
  const { from, ...failure } = undelivered;
  const { count } = await tx.message.updateMany({
    where: { id: failure.message.id, OR: [{ sendStatus: null }, { sendStatus: from }] },
    data: { sendStatus: 'failed', deliveryError: failure.why },
  });
  if (count === 0) return false;
  await recordFailure(tx, failure);
  await reopenUnanswered(tx, failure);
  await notifyOfFailure(tx, failure);
  afterCommit(tx, () => publish(failure.conversation.workspaceId, 'conversations'));
  return true;
}
