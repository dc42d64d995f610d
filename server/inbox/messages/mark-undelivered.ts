import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { notifyOfFailure } from '#server/inbox/messages/notify-of-failure.ts';

/**
 * Marks a message as failed that had left, and notifies its author and the assignee, once.
 * @param given.from the states in which the report counts: in any other it changes nothing
 * @returns whether it counted
 */
export async function markUndelivered(
  tx: Tx,
  given: Parameters<typeof notifyOfFailure>[1] & {
    from: NonNullable<Prisma.MessageWhereInput['sendStatus']>;
  },
): Promise<boolean> {
  const { from, ...failure } = given;
  const { count } = await tx.message.updateMany({
    where: { id: failure.message.id, OR: [{ sendStatus: null }, { sendStatus: from }] },
    data: { sendStatus: 'failed', deliveryError: failure.why },
  });
  if (count === 0) return false;
  await notifyOfFailure(tx, failure);
  afterCommit(tx, () => publish(failure.conversation.workspaceId, 'conversations'));
  return true;
}
