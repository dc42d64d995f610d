import type { Tx } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';
import { queueJob } from '#server/ground/jobs/queue-job.ts';

/**
 * Has the contact of a conversation asked for a rating, in the transaction in which it becomes solved, and some time
 * later (`RATING_REQUEST_DELAY`): it may be reopened at once.
 */
export async function queueRatingRequest(tx: Tx, conversationId: string): Promise<void> {
  // Solved again, it is asked that long after the last time.
  const options = { inSeconds: settings().RATING_REQUEST_DELAY, key: `ask-for-rating:${conversationId}` };
  await queueJob(tx, 'ask-for-rating', { conversationId }, options);
}
