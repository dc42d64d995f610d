import type { MailState } from './mail/mail-state.ts';

/**
 * Glossary. An *account* is what a business has at a provider: a phone number, a page, a bot, a team's app. A
 * *person* writes to it. What they say to each other is a *chat*: one per person, in Slack also one per thread. An
 * *update* is what the provider tells the service of; a *webhook call* is one request that carries it.
 */
export const CHANNELS = ['whatsapp', 'instagram', 'messenger', 'telegram', 'slack'] as const;
export type Channel = (typeof CHANNELS)[number];

export const WINDOWS = ['open', 'closed', 'expired'] as const;

/** How a provider behaves towards one account. */
export type Switches = {
  /** `closed`: more than 24 hours since the person wrote; `expired`: more than 7 days, too late for a human tag, too. */
  window: (typeof WINDOWS)[number];
  /** Key of the refusal that the next send meets, or null. */
  refuseNext: string | null;
  /** Whether every send is refused like this, not the next one alone. */
  refuseAll: boolean;
  /** Code of the failure that the next message meets after it was accepted, or null. WhatsApp alone has this. */
  lateFailure: string | null;
  /** How many times each update is delivered, at the same time. */
  times: number;
  /** Whether updates that come shortly after one another are delivered newest first. */
  reversed: boolean;
  /** What becomes of a message that was accepted. */
  receipts: 'read' | 'delivered' | 'none';
  /** Whether the access token still works. */
  tokenValid: boolean;
};

export type Account = {
  channel: Channel;
  /** The provider's id: of the phone number, the account, the page, the bot, the team. */
  externalId: string;
  name: string;
  /** The workspace of the demo data that it belongs to. */
  workspace: string | null;
  token: string;
  /** App secret, signing secret, or the secret that `setWebhook` was given. */
  secret: string;
  verifyToken: string | null;
  /** Where its webhooks go. */
  address: string | null;
  businessAccountId: string | null;
  pageId: string | null;
  username: string | null;
  phone: string | null;
  slack: { botUserId: string; appId: string; helpChannel: string } | null;
  switches: Switches;
  chats: Map<string, Chat>;
  /** Telegram counts its updates. */
  nextUpdateId: number;
};

export type Person = {
  /** The provider's id of them: a BSUID, page-scoped id, chat id or user id. */
  id: string;
  name: string;
  username: string;
  /** WhatsApp alone: null when they hide their number behind a username. */
  phone: string | null;
};

export type Chat = {
  /** Unique in its account: the person, or the person and the thread. */
  key: string;
  person: Person;
  /** Slack: the channel it is in, and the message that its thread hangs on (null in a direct message). */
  place: { channel: string; threadTs: string | null } | null;
  messages: Message[];
};

export type SentFile = { id: string; name: string; type: string; size: number };

export const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type Status = (typeof STATUSES)[number];

export type Message = {
  id: string;
  /** `in`: the person wrote it; `out`: the service sent it. */
  direction: 'in' | 'out';
  text: string;
  files: SentFile[];
  at: Date;
  status: Status | null;
  failure: string | null;
  edits: number;
  removed: boolean;
  reaction: string | null;
  /** Messenger's and Instagram's tag, a template's name, and the like. */
  label: string | null;
};

/** A file at a provider. */
export type StoredFile = SentFile & { content: Buffer; account: string };

export type Attempt = { at: Date; status: number | null; problem: string | null };

export type WebhookCall = {
  id: string;
  account: string;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
  attempts: Attempt[];
};

export type ApiCall = {
  id: string;
  at: Date;
  channel: Channel;
  account: string | null;
  method: string;
  /** Without a token. */
  path: string;
  fields: unknown;
  status: number;
  response: unknown;
};

/** All that the stand-in remembers; it is gone when the process ends. Maps keep the order of insertion. */
export type State = {
  accounts: Map<string, Account>;
  files: Map<string, StoredFile>;
  /** Newest first. */
  webhookCalls: WebhookCall[];
  apiCalls: ApiCall[];
  mail: MailState;
};

/** How an account is called in addresses and in the control API. */
export function keyOf({ channel, externalId }: Pick<Account, 'channel' | 'externalId'>): string {
  return `${channel}:${externalId}`;
}

/** As a provider is at first. */
export function usualSwitches(): Switches {
  return {
    window: 'open',
    refuseNext: null,
    refuseAll: false,
    lateFailure: null,
    times: 1,
    reversed: false,
    receipts: 'read',
    tokenValid: true,
  };
}

const KEPT = 1_000;

/** Puts something in front of a list that keeps its newest thousand. */
export function keepNewest<T>(list: T[], item: T): void {
  list.unshift(item);
  if (list.length > KEPT) list.length = KEPT;
}
