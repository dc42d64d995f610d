import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { ALWAYS } from '#server/core/database/statement-parts.ts';
import { jobRow, startMovingJobs } from '#server/core/jobs/queue-job.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Has a message that was saved as `queued` sent by a job. One job at a time for each message: the one that is queued to
 * send it again ends what is left of an earlier one, so that no two of them judge each other's sending.
 */
export async function queueSend(
  tx: Tx,
  messageId: string,
  options: { inSeconds?: number } = {},
): Promise<void> {
  await tx.$executeRaw(sendJobRow(messageId, ALWAYS, options));
  afterCommit(tx, startMovingJobs);
}

/**
 * The same as a statement, to be a part of a larger one; after its commit comes `startMovingJobs`.
 * @param when what must hold for it to be queued
 */
export function sendJobRow(
  messageId: string,
  when: Prisma.Sql,
  { inSeconds = 0 }: { inSeconds?: number } = {},
): Prisma.Sql {
  return jobRow('send-message', { messageId }, { key: `send-message:${messageId}`, inSeconds }, when);
}
