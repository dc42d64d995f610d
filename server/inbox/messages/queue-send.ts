import type { Tx } from '#server/ground/db.ts';
import { queueJob } from '#server/ground/jobs/queue-job.ts';

/**
 * Has a message that was saved as `queued` sent by a job. One job at a time for each message: the one that is queued to
 * send it again ends what is left of an earlier one, so that no two of them judge each other's sending.
 */
export function queueSend(
  tx: Tx,
  messageId: string,
  { inSeconds = 0 }: { inSeconds?: number } = {},
): Promise<void> {
  return queueJob(tx, 'send-message', { messageId }, { key: `send-message:${messageId}`, inSeconds });
}
