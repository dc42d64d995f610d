import type { Channel } from '#server/generated/prisma/enums.ts';

/** Every channel, once: what it is called, and how a sentence says that something came in there. */
export const CHANNEL_NAMES = {
  email: { name: 'E-mail', phrase: 'by e-mail' },
  webchat: { name: 'Web chat', phrase: 'in the web chat' },
  whatsapp: { name: 'WhatsApp', phrase: 'on WhatsApp' },
  instagram: { name: 'Instagram', phrase: 'on Instagram' },
  messenger: { name: 'Messenger', phrase: 'on Messenger' },
  telegram: { name: 'Telegram', phrase: 'on Telegram' },
  slack: { name: 'Slack', phrase: 'on Slack' },
} as const satisfies Record<Channel, { name: string; phrase: string }>;

/** The channels in the order of the screens. */
export const CHANNEL_LIST = Object.keys(CHANNEL_NAMES).filter(
  (name): name is Channel => name in CHANNEL_NAMES,
);
