import type { Db } from '#server/core/database/db.ts';
import type { MailSignature } from '#server/core/mail/send-mail.ts';
import type { ActorKind, Channel, Plan, SendStatus } from '#server/generated/prisma/enums.ts';
import type { ChannelField } from '#server/inbox/channels/channel-names.ts';
import type {
  KeptUpdate,
  ReceivedUpdate,
  WebhookRequest,
  WebhookVerdict,
} from '#server/inbox/channels/received-update.ts';

/** An account at a provider that is connected to a workspace, with its secrets opened. */
export type ConnectedAccount = {
  id: string;
  workspaceId: string;
  channel: Channel;
  /** The provider's id of it: of the phone number, page, bot or team. */
  externalId: string;
  /** As the provider calls it. */
  name: string;
  /** What was filled in under Settings, Channels and what connecting added, by the names of the channel's fields. */
  credentials: Record<string, string>;
  settings: Record<string, unknown>;
};

/** What connecting found out: what the provider calls the account. `credentials` and `settings` are kept with it. */
export type ConnectResult = {
  externalId: string;
  name: string;
  credentials: Record<string, string>;
  settings?: Record<string, unknown>;
  expiresAt?: Date | null;
};

/** How accounts of a channel are connected, and how their provider calls. */
export type AccountChannel = {
  /** What is filled in, in this order. */
  fields: ChannelField[];
  /** What else the provider asks to copy from the screen; the address is always shown. */
  showsVerifyToken: boolean;
  /** What to do at the provider, a sentence each. */
  steps: string[];
  /**
   * Asks the provider whether what was filled in is right.
   * @throws Refusal with a sentence under the field's name
   */
  connect(fields: Record<string, string>): Promise<ConnectResult>;
  /** Has the provider call us, where that is done by its API. `address` is where it calls. */
  subscribe?(account: ConnectedAccount, address: string): Promise<void>;
  /** Ends what `subscribe` began; a fault is logged and keeps no one from disconnecting. */
  unsubscribe?(account: ConnectedAccount): Promise<void>;
  /** Asks the provider whether the account still works: null, or what is wrong, as a sentence. */
  test(account: ConnectedAccount): Promise<{ reason: string; reconnect: boolean } | null>;
  webhook: {
    /** Judges a request by its signature, which leaves nothing when it is wrong. Asks no one. */
    verify(request: WebhookRequest, account: ConnectedAccount): WebhookVerdict;
    /**
     * The external ids of the accounts that an update is about, where a provider has one address for several: it is kept
     * for each of them whose own secret it is signed with. Without it: an update is the account's whose address it came to.
     */
    names?(body: Buffer): string[];
    /** The provider's id of an update, one of a kind for the account; a digest of the body where there is none. */
    updateId(body: Buffer, headers: WebhookRequest['headers']): string;
    /** Headers that `receive` needs, in lowercase. */
    keptHeaders: string[];
    /** Reads what is in an update. After a fault it is tried again; after some attempts it is given up. */
    receive(update: KeptUpdate, account: ConnectedAccount): Promise<ReceivedUpdate[]>;
  };
};

/** One channel: where conversations come from, and how messages leave. */
export type ChannelAdapter = {
  /** Judges in the transaction that saves a message how it begins. Asks the database only, never the provider. */
  firstStatus(db: Db, conversation: { workspaceId: string; mailboxId: string | null }): Promise<FirstStatus>;
  /** What keeps a reply in a conversation from reaching the contact, as far as it can be known; null when nothing. */
  warning(db: Db, conversation: WarningContext): Promise<SendWarning | null>;
  /** Sends a message; settles within ten seconds. A refusal of the provider is an outcome, not an error. */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** For channels whose provider's accounts are connected under Settings, Channels. */
  accounts?: AccountChannel;
};

/** A file on its way to a contact. */
export type OutgoingFile = {
  id: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Its bytes as they are read; each call reads it from the beginning. */
  open(): Promise<AsyncIterable<Uint8Array>>;
};

/** A template of WhatsApp's, and the text for its places: in order, or by their names. */
export type OutgoingTemplate = {
  name: string;
  language: string;
  values: { name: string | null; text: string }[];
};

/** A mailbox that mail leaves from, with the key that signs it, where its domain has one. */
export type OutgoingMailbox = { address: string; name: string; dkim: MailSignature | null };

/** A message on its way to a contact, with all that a channel needs to send it. */
export type OutgoingMessage = {
  id: string;
  content: string;
  authorName: string | null;
  /** Who wrote it: only what a teammate wrote in the inbox may carry a provider's tag for people (decisions, 3.19). */
  authorKind: ActorKind;
  /** How often sending it was put off before. */
  deferrals: number;
  /** Email only. */
  html: string | null;
  cc: string[];
  bcc: string[];
  attachments: OutgoingFile[];
  /** WhatsApp only: the approved template that it is sent as; `content` is its text. */
  template: OutgoingTemplate | null;
  conversation: {
    id: string;
    subject: string | null;
    channel: Channel;
    /** The provider's own id of the thread, for channels that have one. */
    externalThreadId: string | null;
  };
  /** The account that the conversation came in by; null when it never had one, or it was disconnected. */
  account: ConnectedAccount | null;
  /** The provider's id of the contact on that channel; null when it is not known. */
  identity: { externalId: string } | null;
  /** When the contact last wrote in the thread: providers close a window some time after it. */
  lastReceivedAt: Date | null;
  contact: { name: string | null; email: string | null; phone: string | null } | null;
  /** The conversation's mailbox; the workspace's default one when it has none of its own. */
  mailbox: OutgoingMailbox | null;
  /** The signature below what a teammate wrote, in mails: theirs in this workspace. */
  signature: string | null;
  /** The provider's ids of earlier messages of the conversation, oldest first. */
  references: string[];
};

/**
 * What came of sending: the channel took it, it refused with a reason that a teammate understands, it takes nothing just
 * now, or it reports nothing. `deferred`: nothing was taken, so that it is sent again later; after the last attempt it
 * has failed for `reason`. `isTimeout`: the provider did not answer in time. `providerIds`: the ids of all parts of a long reply, `externalId` being the last one's. `reconnect`: the
 * provider called the token invalid, so that the account needs to be connected again.
 */
export type SendOutcome =
  | { status: 'sent'; externalId: string | null; providerIds?: string[] }
  | { status: 'failed'; reason: string; reconnect?: boolean; providerIds?: string[] }
  | { status: 'deferred'; reason: string; providerIds?: string[]; isTimeout?: boolean }
  | { status: 'unreported' };

/** How a new message begins: it must be sent, it is held, or it has arrived by being saved (null). */
type FirstStatus = Extract<SendStatus, 'sending' | 'held_for_paywall'> | null;

/** Why a reply would not reach the contact, known before it is sent, and what would mend that, if anything here does. */
export type SendWarning = { sentence: string; mend: 'plan' | 'domain' | 'channel' | null };

/** What is asked of a conversation before something is written in it. */
export type WarningContext = {
  workspaceId: string;
  plan: Plan;
  mailboxId: string | null;
  contactEmail: string | null;
  conversationId: string;
  channelAccountId: string | null;
};
