import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { log } from '#server/core/log.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import type { ConnectedAccount, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { sendOnChannel } from '#server/inbox/channels/channels.ts';
import { tokenRefusedSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import { loadOutgoing } from '#server/inbox/messages/load-outgoing.ts';
import { type OutcomeOptions, recordOutcome } from '#server/inbox/messages/record-outcome.ts';

const UNKNOWN_REASON = 'The message could not be sent.';
/**
 * Time in which a job retries to record an outcome, in milliseconds. Shorter than `INTERRUPTED_AFTER_MS`, after which other
 * workers mark the message as interrupted. A caller who waits retries only for seconds and returns the outcome.
 */
const RECORD_FOR_MS = 45_000;

/**
 * Sends a message with the status `sending` on the channel of its conversation, and records the outcome. No transaction is
 * open while the message is sent (docs/rulings.md 3.9). Waits while the database is unreachable, before and after sending.
 * Returns the outcome even if it could not be recorded: a sent message must not be sent again.
 * @param options as for `recordOutcome`; `notifies` is false for a caller who waits for the outcome
 */
export async function sendMessage(
  id: string,
  options: Pick<OutcomeOptions, 'notifies'> = {},
): Promise<SendOutcome> {
  const outcome = outcomeFor(await loadAndSend(id), { isAwaited: options.notifies === false });
  log().info({ messageId: id, status: outcome.status }, 'message.sent');
  const tryForMs = options.notifies === false ? undefined : RECORD_FOR_MS;
  await retryWhileDatabaseAway(() => recordOutcome(id, outcome, options), tryForMs).catch(
    (error: unknown) => {
      log().error({ err: error, messageId: id }, 'message.outcome_not_recorded');
    },
  );
  return outcome;
}

/** Turns a timeout into a failure for a caller who waits (docs/rulings.md 3.9). After a timeout, a job sends again later. */
function outcomeFor(outcome: SendOutcome, { isAwaited }: { isAwaited: boolean }): SendOutcome {
  return isAwaited && outcome.status === 'deferred' && outcome.isTimeout
    ? { status: 'failed', reason: outcome.reason }
    : outcome;
}

async function loadAndSend(id: string): Promise<SendOutcome> {
  const message = await retryWhileDatabaseAway(() => loadOutgoing(id)).catch((error: unknown) => {
    log().error({ err: error, messageId: id }, 'message.not_loaded');
  });
  if (!message) return { status: 'deferred', reason: UNKNOWN_REASON };
  try {
    if (message.forward) return await sendOnChannel('email', message);
    const outcome = await sendOnChannel(message.conversation.channel, message);
    if (message.account) await recordOnAccount(message.account, outcome);
    return outcome;
  } catch (error) {
    log().error({ err: error, messageId: id }, 'message.send_failed');
    return { status: 'failed', reason: UNKNOWN_REASON };
  }
}

/** Records the outcome on the account. Logs a fault instead of throwing it, because the message was sent. */
async function recordOnAccount(account: ConnectedAccount, outcome: SendOutcome): Promise<void> {
  try {
    if (outcome.status === 'failed') {
      if (outcome.reconnect) await markReconnectNeeded(account, tokenRefusedSentence(account.channel));
      return;
    }
    await db().channelAccount.updateMany({ where: { id: account.id }, data: { lastSentAt: new Date() } });
  } catch (error) {
    log().error({ err: error, accountId: account.id }, 'channel.sending_not_noted');
  }
}
