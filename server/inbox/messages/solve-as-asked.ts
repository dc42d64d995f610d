import type { Tx } from '#server/core/database/db.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { setStatus } from '#server/inbox/conversations/set-status.ts';

/**
 * What "Send and solve" does to a locked conversation once the reply was sent: solves it, if it is open or pending and
 * the contact has written nothing since it was asked for. One that was merged or closed meanwhile stays as it is.
 * @param given.askedAt when the author asked; null when they did not
 */
export async function solveAsAsked(
  tx: Tx,
  { id, status, mergedIntoId }: LockedConversation,
  { askedAt, now }: { askedAt: Date | null; now: Date },
): Promise<Change> {
  const isUnsolved = status === 'open' || status === 'pending';
  if (askedAt === null || !isUnsolved || mergedIntoId !== null) return changeOf();
  const written = await tx.message.findFirst({
    where: { conversationId: id, direction: 'inbound', createdAt: { gt: askedAt } },
    select: { id: true },
  });
  return written ? changeOf() : setStatus({ status }, { status: 'solved', now });
}
