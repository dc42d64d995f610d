import type { Tx } from '#server/db.ts';

/** The tasks of the worker and their payloads: ids only, the rows are the state. */
export type Tasks = {
  'redeliver-failed': { workspaceId: string; hookId: string | null; before: string };
  'send-message': { messageId: string };
  'send-pending-reply': { pendingReplyId: string };
  'answer-contact': { messageId: string };
  'remove-test-conversation': { conversationId: string };
  'mail-notifications': { notificationIds: string[] };
  'ask-for-rating': { conversationId: string };
  'mail-invitation': { invitationId: string };
  'mail-password-reset': { userId: string; askedAt: string };
  'remove-account': { userId: string };
  'remove-workspace': { workspaceId: string };
};

/**
 * `inSeconds`: not before. `key`: takes the place of a job with the same key, and ends the retries of one under way.
 * `queue`: jobs of one queue run one after the other, over all workers.
 */
export type JobOptions = { inSeconds?: number; key?: string; queue?: string };

/** Queues a job in the transaction of the change that needs it. */
export async function queueJob<Name extends keyof Tasks>(
  tx: Tx,
  name: Name,
  payload: Tasks[Name],
  { inSeconds = 0, key, queue }: JobOptions = {},
): Promise<void> {
  await tx.$executeRaw`
    select (graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      run_at := case when ${inSeconds}::int > 0 then now() + make_interval(secs => ${inSeconds}::int) end,
      job_key := ${key ?? null}::text,
      queue_name := ${queue ?? null}::text)).id`;
}
