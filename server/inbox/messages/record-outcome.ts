import { afterCommit, db, inTransaction, type Tx } from '#server/core/database/db.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { SendOutcome } from '#server/inbox/channels/outgoing-message.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { changeClocks } from '#server/inbox/conversations/sla-clocks.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';
import { deferMessage } from '#server/inbox/messages/defer-message.ts';
import { notifyOfFailure } from '#server/inbox/messages/notify-of-failure.ts';
import { solveAsAsked } from '#server/inbox/messages/solve-as-asked.ts';

/**
 * Ends a message that is marked as being sent with its outcome, and notifies open pages; one that has ended stays. One
 * that was deferred is queued again, until the last attempt.
 * What a teammate or a workflow sent ends the wait for a first response, now that it has left, and solves the
 * conversation if that was asked for; its author and the assignee are notified of a failure. The conversation is locked
 * first, as everywhere.
 * @param given.notifies false where a caller waits for the outcome and gets it in the response
 * @param given.startedBefore ends it only if its sending began before this
 * @returns whether it was ended here
 */
export async function recordOutcome(
  id: string,
  outcome: SendOutcome,
  { notifies = true, startedBefore }: { notifies?: boolean; startedBefore?: Date } = {},
): Promise<boolean> {
  const message = await db().message.findUnique({ where: { id }, select: outcomeSelect });
  if (!message) return false;
  const { workspaceId, conversationId } = message;
  return inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    if (outcome.status === 'deferred') {
      const state = await deferMessage(tx, id);
      if (state === 'deferred') afterCommit(tx, () => publish(workspaceId, 'conversations'));
      if (state !== 'exhausted') return false;
    }
    const { count } = await tx.message.updateMany({
      where: {
        id,
        sendStatus: 'sending',
        ...(startedBefore ? { sendStartedAt: { lt: startedBefore } } : {}),
      },
      data: outcomeColumns(outcome),
    });
    if (count === 0) return false;
    const now = new Date();
    if (outcome.status === 'sent' || outcome.status === 'unreported') {
      await finishSent(tx, { conversation, message, now });
    } else if (notifies) await notifyOfFailure(tx, { conversation, message, why: outcome.reason, now });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return true;
  });
}

/** What must be selected of a message for `finishSent`, and to notify of its failure. */
export const outcomeSelect = {
  id: true,
  workspaceId: true,
  conversationId: true,
  authorKind: true,
  authorId: true,
  authorName: true,
  author: { select: { id: true, name: true, email: true } },
  solveAskedAt: true,
} satisfies Prisma.MessageSelect;

type OutcomeMessage = Prisma.MessageGetPayload<{ select: typeof outcomeSelect }>;

/**
 * What follows in its conversation, which is locked, when a message was sent: the wait for a first response ends, if a
 * teammate wrote it, also through a workflow; and the conversation is solved if they asked for that.
 */
export async function finishSent(
  tx: Tx,
  given: { conversation: LockedConversation; message: OutcomeMessage; now: Date },
): Promise<void> {
  const { conversation, message, now } = given;
  const { conversationId, authorKind, author, solveAskedAt } = message;
  if (authorKind !== 'teammate' && authorKind !== 'workflow') return;
  await changeClocks(tx, { conversationId, clock: 'first_response_given', now });
  if (author === null) return;
  const change = await solveAsAsked(tx, conversation, { askedAt: solveAskedAt, now });
  const actor = { kind: 'teammate' as const, teammate: author };
  if (Object.keys(change.columns).length > 0) await writeChange(tx, conversation, { actor, change, now });
}

function providerIdsOf({ providerIds }: { providerIds?: string[] }) {
  return providerIds === undefined ? {} : { providerIds };
}

function outcomeColumns(outcome: SendOutcome) {
  switch (outcome.status) {
    case 'sent':
      return { ...providerIdsOf(outcome), sendStatus: 'sent' as const, externalId: outcome.externalId };
    case 'failed':
    case 'deferred':
      return { ...providerIdsOf(outcome), sendStatus: 'failed' as const, deliveryError: outcome.reason };
    case 'unreported':
      return { sendStatus: null };
  }
}
