import type { Tx } from '#server/db.ts';
import { queueJob } from '#server/queue-job.ts';

/** How long after an e-mail conversation was solved its contact is asked: it may be reopened at once. */
export const ASK_AFTER_SECONDS = 600;

/** Has the contact of a conversation asked for a rating, in the transaction in which it becomes solved. */
export async function queueRatingRequest(tx: Tx, conversationId: string): Promise<void> {
  // Solved again, it is asked that long after the last time.
  const options = { inSeconds: ASK_AFTER_SECONDS, key: `ask-for-rating:${conversationId}` };
  await queueJob(tx, 'ask-for-rating', { conversationId }, options);
}
