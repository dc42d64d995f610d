import { db } from '#server/db.ts';

/** Sending takes ten seconds at most; a message still being sent after so long was broken off, in milliseconds. */
const BROKEN_OFF_AFTER_MS = 60_000;

/** What a teammate is told of a message whose sending a crash broke off. */
export const BROKEN_OFF = 'Sending was broken off, and whether the contact received it is not known.';

/** Marks messages found half-sent after a crash as failed; they are never sent again. Returns how many. */
export async function failBrokenOff(): Promise<number> {
  const { count } = await db().message.updateMany({
    where: { sendStatus: 'sending', sendStartedAt: { lt: new Date(Date.now() - BROKEN_OFF_AFTER_MS) } },
    data: { sendStatus: 'failed', deliveryError: BROKEN_OFF },
  });
  return count;
}
