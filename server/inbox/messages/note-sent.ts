import { db } from '#server/core/database/db.ts';
import { log } from '#server/core/log.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { SendOutcome } from '#server/inbox/channels/outgoing-message.ts';
import { tokenRefusedSentence } from '#server/inbox/channels/sending/provider-sentences.ts';

/** Notes on its account what came of sending a message. A fault is logged: the message has left. */
export async function noteSent(
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
