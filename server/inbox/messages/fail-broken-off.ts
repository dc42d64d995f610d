import { db } from '#server/core/database/db.ts';
import { processDue } from '#server/core/database/process-due.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';

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
    find: (take) =>
      db().message.findMany({
        where: { sendStatus: 'sending', sendStartedAt: { lt: startedBefore } },
        select: { id: true },
        orderBy: { sendStartedAt: 'asc' },
        take,
      }),
    work: ({ id }) => recordOutcome(id, { status: 'failed', reason: BROKEN_OFF }, { startedBefore }),
  });
}
