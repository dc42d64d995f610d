import { db } from '#server/core/database/db.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry-while-database-away.ts';
import { BROKEN_OFF } from '#server/inbox/messages/fail-broken-off.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';

/**
 * Sends a queued message. It is marked as being sent before anything leaves: found half-sent after a crash, it is
 * marked failed and never sent again (decisions: conversations and contacts, 9).
 */
export async function sendQueuedMessage(messageId: string): Promise<void> {
  const startedAt = new Date();
  // Where the response is lost with the database, the moment distinguishes this worker's mark from another's.
  const { count } = await retryWhileDatabaseAway(() =>
    db().message.updateMany({
      where: {
        id: messageId,
        OR: [{ sendStatus: 'queued' }, { sendStatus: 'sending', sendStartedAt: startedAt }],
      },
      data: { sendStatus: 'sending', sendStartedAt: startedAt },
    }),
  );
  if (count === 1) await sendMessage(messageId);
  else await recordOutcome(messageId, { status: 'failed', reason: BROKEN_OFF });
}
