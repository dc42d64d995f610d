import type { Db } from '#server/core/database/prisma.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { findReplyAccount } from '#server/inbox/channels/accounts/find-account.ts';
import type { ChannelAdapter, SendWarning, WarningContext } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { reconnectSentence } from '#server/inbox/channels/sending/provider-sentences.ts';

/** Returns the delivery error for a reply on a channel that is not connected. */
export function notConnectedSentence(channel: Channel): string {
  return `${CHANNEL_NAMES[channel].name} is not connected to this workspace, so the message was saved but the contact did not receive it.`;
}

/** Defaults for channels with connected accounts: a message must be sent, and warnings depend on the account. */
export function accountChannelStatus(channel: Channel): Pick<ChannelAdapter, 'firstStatus' | 'warning'> {
  return {
    firstStatus: async () => 'sending',
    warning: (db, conversation) => warnOfAccount(db, channel, conversation),
  };
}

/** Returns a warning about the account that sends the replies of a conversation; null when it is connected. */
export async function warnOfAccount(
  db: Db,
  channel: Channel,
  { workspaceId, channelAccountId }: WarningContext,
): Promise<SendWarning | null> {
  const account = await findReplyAccount(db, { workspaceId, channel, channelAccountId });
  if (!account) {
    const sentence = `${CHANNEL_NAMES[channel].name} is not connected to this workspace: replies are saved here, but the contact does not receive them.`;
    return { sentence, fix: 'channel' };
  }
  if (account.status === 'connected') return null;
  return { sentence: reconnectSentence(channel), fix: 'channel' };
}
