import type { DnsRecord } from './dns/dns-message.ts';
import type { MailState } from './mail/mail-state.ts';

/**
 * Glossary. An *account* is what a business has at a provider: a phone number, a page, a bot or a team's app. A
 * *person* writes to it. Their messages are a *chat*: one per person, in Slack also one per thread. An *update* is an
 * event that the provider reports to the service; a *webhook call* is one request with an update.
 */
export const CHANNELS = ['whatsapp', 'instagram', 'messenger', 'telegram', 'slack'] as const;
export type Channel = (typeof CHANNELS)[number];

export const WINDOWS = ['open', 'closed', 'expired'] as const;

/** Behaviour of a provider for one account. */
export type Switches = {
  /** `closed`: the person last wrote more than 24 hours ago. `expired`: more than 7 days ago. */
  window: (typeof WINDOWS)[number];
  /** Key of the rejection for the next send, or null. */
  refuseNext: string | null;
  /** True when all later sends are rejected too. */
  refuseAll: boolean;
  /** Code of the failure that is reported after the next message was accepted, or null. WhatsApp only. */
  lateFailure: string | null;
  /** Number of parallel deliveries of each update. */
  times: number;
  /** True when updates that follow shortly after one another are delivered newest first. */
  reversed: boolean;
  /** Statuses that are reported for accepted messages. */
  receipts: 'read' | 'delivered' | 'none';
  /** False when the provider rejects the access token. */
  tokenValid: boolean;
};

export type Account = {
  channel: Channel;
  /** The provider's id of the phone number, account, page, bot or team. */
  externalId: string;
  name: string;
  /** Workspace of the demo data; null for a spare account. */
  workspace: string | null;
  token: string;
  /** App secret, signing secret, or the secret from `setWebhook`. */
  secret: string;
  verifyToken: string | null;
  /** Webhook address. */
  address: string | null;
  businessAccountId: string | null;
  pageId: string | null;
  username: string | null;
  phone: string | null;
  slack: { botUserId: string; appId: string; helpChannel: string } | null;
  switches: Switches;
  chats: Map<string, Chat>;
  bot: Bot;
};

/** Telegram only: how a bot receives its updates. */
export type Bot = {
  /** Telegram numbers its updates. */
  nextUpdateId: number;
  /** Types of updates that the bot asked for; empty: those that Telegram sends if nobody asks. */
  allowedUpdates: string[];
  /** Updates that wait while there is no webhook, oldest first. */
  pending: { update_id: number }[];
  /** Ends the `getUpdates` that waits: because there is an update, or because of another call. */
  endWait: ((reason: 'update' | 'conflict') => void) | null;
};

export type Person = {
  /** The provider's id of the person: BSUID, page-scoped id, chat id or user id. */
  id: string;
  name: string;
  username: string;
  /** WhatsApp only; null when the number is hidden behind a username. */
  phone: string | null;
};

export type Chat = {
  /** Unique per account: the person, or the person and the thread. */
  key: string;
  person: Person;
  /** Slack only: channel, and timestamp of the thread's first message (null in a direct message). */
  place: { channel: string; threadTs: string | null } | null;
  messages: Message[];
};

export type SentFile = { id: string; name: string; type: string; size: number };

export const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type Status = (typeof STATUSES)[number];

export type Message = {
  id: string;
  /** `in`: written by the person. `out`: sent by the service. */
  direction: 'in' | 'out';
  text: string;
  files: SentFile[];
  /** Shared by the messages of files that were sent together; null for a single message. */
  album: string | null;
  /** Telegram only: field of the message that has the file, such as `voice`; null: by its content type. */
  kind: string | null;
  /** Telegram only: formatted ranges, links and names of the text. */
  entities: object[];
  at: Date;
  status: Status | null;
  failure: string | null;
  edits: number;
  removed: boolean;
  reaction: string | null;
  /** For example Messenger's tag or a template's name. */
  label: string | null;
};

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
  /** Contains no token. */
  path: string;
  fields: unknown;
  status: number;
  response: unknown;
};

/** All state, in memory only. Maps keep insertion order. */
export type State = {
  accounts: Map<string, Account>;
  files: Map<string, StoredFile>;
  /** Newest first. */
  webhookCalls: WebhookCall[];
  apiCalls: ApiCall[];
  mail: MailState;
  /** Records that were added, newest last. */
  dns: { records: DnsRecord[] };
};

/** Returns the key of an account in URLs and in the control API. */
export function keyOf({ channel, externalId }: Pick<Account, 'channel' | 'externalId'>): string {
  return `${channel}:${externalId}`;
}

/** Returns the initial switches. */
export function defaultSwitches(): Switches {
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

const ITEMS_MAX = 1_000;

/** Adds an item at the front of a list, and drops the oldest beyond `ITEMS_MAX`. */
export function addNewest<T>(list: T[], item: T): void {
  list.unshift(item);
  if (list.length > ITEMS_MAX) list.length = ITEMS_MAX;
}
