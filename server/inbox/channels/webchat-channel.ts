import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';

/** The web chat: the visitor reads the conversation itself, so a message has arrived once it is saved. */
export const webchatChannel: ChannelAdapter = {
  firstStatus: async () => null,
  warning: async () => null,
  send: async () => ({ status: 'unreported' }),
};
