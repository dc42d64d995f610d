import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { emailChannel } from '#server/inbox/channels/email/email-channel.ts';
import { notConnectedChannel } from '#server/inbox/channels/not-connected-channel.ts';
import { slackChannel } from '#server/inbox/channels/slack/slack-channel.ts';
import { telegramChannel } from '#server/inbox/channels/telegram/telegram-channel.ts';
import { webchatChannel } from '#server/inbox/channels/webchat/webchat-channel.ts';

/** Every channel by its name. */
export const CHANNELS: Record<Channel, ChannelAdapter> = {
  email: emailChannel,
  webchat: webchatChannel,
  whatsapp: notConnectedChannel('whatsapp'),
  instagram: notConnectedChannel('instagram'),
  messenger: notConnectedChannel('messenger'),
  telegram: telegramChannel,
  slack: slackChannel,
};
