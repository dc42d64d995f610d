import { instagramKind, messengerKind } from './meta/messenger-kind.ts';
import { whatsappKind } from './meta/whatsapp-kind.ts';
import type { ChannelKind } from './occurrence.ts';
import { slackKind } from './slack/slack-kind.ts';
import type { Channel } from './state.ts';
import { telegramKind } from './telegram/telegram-kind.ts';

export const CHANNEL_KINDS: Readonly<Record<Channel, ChannelKind>> = {
  whatsapp: whatsappKind,
  instagram: instagramKind,
  messenger: messengerKind,
  telegram: telegramKind,
  slack: slackKind,
};
