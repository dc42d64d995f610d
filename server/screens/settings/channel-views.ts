import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ChannelField } from '#server/inbox/channels/channel-names.ts';

export { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';

/** An account that is connected, and how it is doing. */
export type AccountView = {
  id: string;
  name: string;
  state: 'connected' | 'faulty' | 'reconnect_needed';
  /** What is wrong, as a sentence; null when nothing. */
  problem: string | null;
  lastReceivedAt: Date | null;
  /** What to copy into the provider's settings. */
  address: string;
  verifyToken: string | null;
  /** How many messages arrived and could not be processed: they can be tried again. */
  failedUpdates: number;
};

/** A channel whose accounts can be connected. */
export type ChannelView = {
  channel: Channel;
  name: string;
  fields: ChannelField[];
  /** What to do at the provider, a sentence each. */
  steps: string[];
  accounts: AccountView[];
};

/** How the mail of a domain is signed (DKIM). */
export type SigningView = {
  id: string;
  domain: string;
  /** Mail leaves only from a verified domain. */
  isVerified: boolean;
  /** What to add to its DNS; null while it has no key. */
  record: { type: 'TXT'; name: string; value: string } | null;
  /** When the record was last found; null while mail leaves unsigned. */
  checkedAt: Date | null;
};

/** What is set up for email. */
export type EmailChannelView = {
  domains: SigningView[];
  /** Where a provider of mail posts what arrives; null when there is no such address. Its secret is never shown again. */
  postedMail: { address: string; madeAt: Date; lastReceivedAt: Date | null } | null;
};
