import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { emailChannel } from '#server/inbox/channels/email/email-channel.ts';
import { instagramChannel } from '#server/inbox/channels/meta/instagram-channel.ts';
import { messengerChannel } from '#server/inbox/channels/meta/messenger-channel.ts';
import { slackChannel } from '#server/inbox/channels/slack/slack-channel.ts';
import { telegramChannel } from '#server/inbox/channels/telegram/telegram-channel.ts';
import { whatsappChannel } from '#server/inbox/channels/whatsapp/whatsapp-channel.ts';

/** The web chat: the visitor reads the conversation itself, so a message has arrived once it is saved. */
const webchatChannel: ChannelAdapter = {
  firstStatus: async () => null,
  warning: async () => null,
  send: async () => ({ status: 'unreported' }),
};

/** Every channel by its name. */
export const CHANNELS: Record<Channel, ChannelAdapter> = {
  email: emailChannel,
  webchat: webchatChannel,
  whatsapp: whatsappChannel,
  instagram: instagramChannel,
  messenger: messengerChannel,
  telegram: telegramChannel,
  slack: slackChannel,
};
