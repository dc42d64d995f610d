import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';

/**
 * Sends a queued message. Sets its status to `sending` first. A message that is still `sending` after a crash is marked as
 * failed and never sent again (docs/rulings.md 3.9).
 */
export async function sendQueuedMessage(messageId: string): Promise<void> {
  const startedAt = new Date();
  // If the database's response is lost and the statement retried, the timestamp identifies this worker's own update.
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

/** Age at which a `sending` message counts as interrupted, in milliseconds. Sending takes ten seconds at most. */
const INTERRUPTED_AFTER_MS = 60_000;

/** The delivery error of a message whose sending was interrupted by a crash. */
export const BROKEN_OFF = 'Sending was interrupted. It is not known whether the contact received it.';

/**
 * Marks messages whose sending was interrupted by a crash as failed, and notifies their authors and assignees. Never sends
 * them again. With parallel workers, one of them marks each message.
 * @returns the number of marked messages
 */
export async function failBrokenOff(): Promise<number> {
  const startedBefore = new Date(Date.now() - INTERRUPTED_AFTER_MS);
  return processDue('message.not_failed', {
    find: (limit, after) => db().$queryRaw<{ id: string }[]>`
      with due as materialized (
        select id from messages where send_status = 'sending' and send_started_at < ${startedBefore}::timestamptz
      )
      select id from due where id > ${after}::uuid order by id limit ${limit}::int`,
    work: ({ id }) => recordOutcome(id, { status: 'failed', reason: BROKEN_OFF }, { startedBefore }),
  });
}
