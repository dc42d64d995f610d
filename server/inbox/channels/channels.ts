import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { emailChannel } from '#server/inbox/channels/email/email-channel.ts';
import { notConnectedChannel } from '#server/inbox/channels/not-connected-channel.ts';
import { webchatChannel } from '#server/inbox/channels/webchat/webchat-channel.ts';

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
