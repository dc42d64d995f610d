import { inTransaction } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { sql } from '#server/core/database/sql.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { queueSend } from '#server/inbox/messages/outgoing-message.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';

/** Interval at which a message checks whether the earlier one was sent, in seconds. */
const TURN_SECONDS = 1;

/**
 * Sends a queued message. Sets its status to `sending` first. A message that is still `sending` after a crash is never sent again
 * (docs/rulings.md 3.9): `failBrokenOff` marks it. In a chat, a message waits until the earlier ones were sent or failed.
 */
export async function sendQueuedMessage(messageId: string): Promise<void> {
  const startedAt = new Date();
  let isRepeated = false;
  const isOurs = await retryWhileDatabaseAway(() => {
    const claim = { messageId, startedAt, isRepeated };
    isRepeated = true;
    return startSending(claim);
  });
  if (isOurs) await sendMessage(messageId);
  else await waitForTurn(messageId);
}

/**
 * Sets a message to `sending` unless an earlier message of its chat is about to be sent. A deferred one waits for minutes, and
 * holds back no other. When the statement is repeated because the database's response was lost, the timestamp identifies this
 * worker's own update.
 */
async function startSending({
  messageId,
  startedAt,
  isRepeated,
}: {
  messageId: string;
  startedAt: Date;
  isRepeated: boolean;
}): Promise<boolean> {
  const started = await sql().$executeRaw`
    update messages m set send_status = 'sending', send_started_at = ${startedAt}::timestamptz
    where m.id = ${messageId}::uuid
      and (m.send_status = 'queued' or (${isRepeated} and m.send_status = 'sending' and m.send_started_at = ${startedAt}::timestamptz))
      and not exists (
        select from messages e join conversations c on c.id = e.conversation_id
        where e.conversation_id = m.conversation_id and c.channel <> 'email'
          and m.direction = 'outbound' and e.direction = 'outbound'
          and e.send_status in ('queued', 'sending') and e.deferrals = 0
          and (e.created_at, e.id) < (m.created_at, m.id))`;
  return started === 1;
}

/** Queues a message again that waits for an earlier one. Does nothing if another run is sending it, or has sent it. */
function waitForTurn(messageId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const [waiting] = await tx.$queryRaw<{ channel: Channel }[]>`
      select c.channel from messages m join conversations c on c.id = m.conversation_id
      where m.id = ${messageId}::uuid and m.send_status = 'queued' for no key update of m`;
    if (waiting) await queueSend(tx, messageId, { ...waiting, inSeconds: TURN_SECONDS });
  });
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
    find: (limit, after) => sql().$queryRaw<{ id: string }[]>`
      with due as materialized (
        select id from messages where send_status = 'sending' and send_started_at < ${startedBefore}::timestamptz
      )
      select id from due where id > ${after}::uuid order by id limit ${limit}::int`,
    work: ({ id }) => recordOutcome(id, { status: 'failed', reason: BROKEN_OFF }, { startedBefore }),
  });
}
