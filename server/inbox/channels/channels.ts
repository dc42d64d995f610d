import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { emailChannel } from '#server/inbox/channels/email/email-channel.ts';
import { instagramChannel, messengerChannel } from '#server/inbox/channels/meta/page-channels.ts';
import { slackChannel } from '#server/inbox/channels/slack/slack-channel.ts';
import { telegramChannel } from '#server/inbox/channels/telegram/telegram-channel.ts';
import { whatsappChannel } from '#server/inbox/channels/whatsapp/whatsapp-channel.ts';

/** The web chat: visitors read the conversation directly, so a saved message is delivered. */
const webchatChannel: ChannelAdapter = {
  firstStatus: async () => null,
  warning: async () => null,
  send: async () => ({ status: 'unreported' }),
};

export const CHANNELS: Record<Channel, ChannelAdapter> = {
  email: emailChannel,
  webchat: webchatChannel,
  whatsapp: whatsappChannel,
  instagram: instagramChannel,
  messenger: messengerChannel,
  telegram: telegramChannel,
  slack: slackChannel,
};
