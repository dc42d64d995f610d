import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { log } from '#server/core/log.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import type { ConnectedAccount, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { tokenRefusedSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import { loadOutgoing } from '#server/inbox/messages/load-outgoing.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';

const UNKNOWN_REASON = 'The message could not be sent.';
/**
 * For how long a job tries to record what came of a message, in milliseconds: about until others take its sending for broken off.
 * A caller who waits gets it in the response, so there it is tried for seconds.
 */
const RECORD_FOR_MS = 45_000;

/**
 * Sends a message that is marked as being sent, on the channel of its conversation, and records the outcome.
 * No transaction is open meanwhile (decisions: conversations and contacts, 9). A database that is away is waited for,
 * before the message leaves and after. What the channel answered is returned also when it could not be recorded: the
 * message has left and must not be sent again.
 * @param options.notifies false for a caller who waits for the outcome: no one else is notified that it failed
 */
export async function sendMessage(id: string, options: { notifies?: boolean } = {}): Promise<SendOutcome> {
  const outcome = outcomeFor(await handToChannel(id), { isAwaited: options.notifies === false });
  log().info({ messageId: id, status: outcome.status }, 'message.sent');
  const tryForMs = options.notifies === false ? undefined : RECORD_FOR_MS;
  await retryWhileDatabaseAway(() => recordOutcome(id, outcome, options), tryForMs).catch(
    (error: unknown) => {
      log().error({ err: error, messageId: id }, 'message.outcome_not_recorded');
    },
  );
  return outcome;
}

/** A caller who waits learns of a timeout (decisions: conversations and contacts, 9). A job sends the message again later. */
function outcomeFor(outcome: SendOutcome, { isAwaited }: { isAwaited: boolean }): SendOutcome {
  return isAwaited && outcome.status === 'deferred' && outcome.isTimeout
    ? { status: 'failed', reason: outcome.reason }
    : outcome;
}

async function handToChannel(id: string): Promise<SendOutcome> {
  const message = await retryWhileDatabaseAway(() => loadOutgoing(id)).catch((error: unknown) => {
    log().error({ err: error, messageId: id }, 'message.not_loaded');
  });
  if (!message) return { status: 'deferred', reason: UNKNOWN_REASON };
  try {
    const outcome = await CHANNELS[message.conversation.channel].send(message);
    if (message.account) await noteSent(message.account, outcome);
    return outcome;
  } catch (error) {
    log().error({ err: error, messageId: id }, 'message.send_failed');
    return { status: 'failed', reason: UNKNOWN_REASON };
  }
}

/** Notes on its account what came of sending a message. A fault is logged: the message has left. */
async function noteSent(
  { id: accountId, channel }: Pick<ConnectedAccount, 'id' | 'channel'>,
  outcome: SendOutcome,
): Promise<void> {
  try {
    if (outcome.status === 'failed') {
      if (outcome.reconnect) await markReconnectNeeded(accountId, tokenRefusedSentence(channel));
      return;
    }
    await db().channelAccount.updateMany({ where: { id: accountId }, data: { lastSentAt: new Date() } });
  } catch (error) {
    log().error({ err: error, accountId }, 'channel.sending_not_noted');
  }
}
