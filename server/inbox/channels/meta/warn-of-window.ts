import type { Db } from '#server/core/database/db.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { warnOfAccount } from '#server/inbox/channels/accounts/account-channel-status.ts';
import { findLastReceived } from '#server/inbox/channels/meta/find-last-received.ts';
import { messageWindow, windowSentence } from '#server/inbox/channels/meta/message-window.ts';
import type { SendWarning, WarningContext } from '#server/inbox/channels/outgoing-message.ts';

/** What keeps a teammate's reply from the contact: their account is not connected, or their window is closed. */
export async function warnOfWindow(
  db: Db,
  channel: Channel,
  conversation: WarningContext,
): Promise<SendWarning | null> {
  const ofAccount = await warnOfAccount(db, channel, conversation);
  if (ofAccount) return ofAccount;
  const lastReceivedAt = await findLastReceived(db, conversation.conversationId);
  return messageWindow(channel, lastReceivedAt) === 'closed'
    ? { sentence: windowSentence(channel, true), mend: null }
    : null;
}
