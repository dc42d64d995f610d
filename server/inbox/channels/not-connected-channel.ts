import type { Channel } from '#server/generated/prisma/enums.ts';
import {
  accountChannelStatus,
  notConnectedSentence,
} from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';

/** A channel that cannot be connected yet: messages are saved, and the answer says so. */
export function notConnectedChannel(channel: Channel): ChannelAdapter {
  return {
    ...accountChannelStatus(channel),
    send: async () => ({ status: 'failed', reason: notConnectedSentence(channel) }),
  };
}
