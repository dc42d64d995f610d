import type { ChannelAdapter } from '#server/channels/channel-adapter.ts';
import { emailChannel } from '#server/channels/email/email-channel.ts';
import { notConnectedChannel } from '#server/channels/not-connected-channel.ts';
import { webchatChannel } from '#server/channels/webchat/webchat-channel.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** Every channel by its name. */
export const CHANNELS: Record<Channel, ChannelAdapter> = {
  email: emailChannel,
  webchat: webchatChannel,
  whatsapp: notConnectedChannel('WhatsApp'),
  instagram: notConnectedChannel('Instagram'),
  messenger: notConnectedChannel('Messenger'),
  telegram: notConnectedChannel('Telegram'),
  slack: notConnectedChannel('Slack'),
};
