import { settings } from '#server/core/env.ts';
import { jobRow } from '#server/core/jobs/queue-job.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Has the contact of a conversation asked for a rating: the row of a job, written in the transaction in which it becomes
 * solved, and done some time later (`RATING_REQUEST_DELAY`): it may be reopened at once.
 * @param when what must hold for it to be queued
 */
export function ratingRequestRow(conversationId: string, when: Prisma.Sql): Prisma.Sql {
  // Solved again, it is asked that long after the last time.
  const options = { inSeconds: settings().RATING_REQUEST_DELAY, key: `ask-for-rating:${conversationId}` };
  return jobRow('ask-for-rating', { conversationId }, options, when);
}
