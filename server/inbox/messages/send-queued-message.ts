import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
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

/** Sending takes ten seconds at most; a message still being sent after so long was broken off, in milliseconds. */
const BROKEN_OFF_AFTER_MS = 60_000;

/** What a teammate reads about a message whose sending a crash interrupted. */
export const BROKEN_OFF = 'Sending was interrupted. It is not known whether the contact received it.';

/**
 * Marks messages found half-sent after a crash as failed, and notifies their authors and assignees; nothing here sends
 * them again. Of two workers at once one marks each. Returns how many.
 */
export async function failBrokenOff(): Promise<number> {
  const startedBefore = new Date(Date.now() - BROKEN_OFF_AFTER_MS);
  return processDue('message.not_failed', {
    find: (limit, after) => db().$queryRaw<{ id: string }[]>`
      with due as materialized (
        select id from messages where send_status = 'sending' and send_started_at < ${startedBefore}::timestamptz
      )
      select id from due where id > ${after}::uuid order by id limit ${limit}::int`,
    work: ({ id }) => recordOutcome(id, { status: 'failed', reason: BROKEN_OFF }, { startedBefore }),
  });
}
