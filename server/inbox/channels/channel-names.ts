import type { Channel } from '#server/generated/prisma/enums.ts';

/** Display name of each channel, and the phrase for a message that arrived there. */
export const CHANNEL_NAMES = {
  email: { name: 'Email', phrase: 'by email' },
  webchat: { name: 'Web chat', phrase: 'in the web chat' },
  whatsapp: { name: 'WhatsApp', phrase: 'on WhatsApp' },
  instagram: { name: 'Instagram', phrase: 'on Instagram' },
  messenger: { name: 'Messenger', phrase: 'on Messenger' },
  telegram: { name: 'Telegram', phrase: 'on Telegram' },
  slack: { name: 'Slack', phrase: 'on Slack' },
} as const satisfies Record<Channel, { name: string; phrase: string }>;

/** All channels, in the order of the screens. */
export const CHANNEL_LIST = Object.keys(CHANNEL_NAMES).filter(
  (name): name is Channel => name in CHANNEL_NAMES,
);

/** A form field for connecting an account. `secret` values are never shown again. */
export type ChannelField = { name: string; label: string; hint: string; secret: boolean; optional?: boolean };
