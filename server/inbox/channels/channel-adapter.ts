import type { Readable } from 'node:stream';
import type { FormattedText } from '#server/contract/formatted-text.ts';
import type { Db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { MailSignature } from '#server/core/mail/send-mail.ts';
import type { ActorKind, Channel, Plan, SendStatus } from '#server/generated/prisma/enums.ts';
import type { ChannelField } from '#server/inbox/channels/channel-names.ts';
import type {
  ReceivedUpdate,
  StoredUpdate,
  WebhookRequest,
  WebhookVerdict,
} from '#server/inbox/channels/received-update.ts';

/** A provider's account that is connected to a workspace, with decrypted credentials. */
export type ConnectedAccount = {
  id: string;
  workspaceId: string;
  channel: Channel;
  /** The provider's id of the phone number, page, bot or team. */
  externalId: string;
  /** The provider's name for the account. */
  name: string;
  /** Fields from Settings > Channels and from connecting, by field name. */
  credentials: Record<string, string>;
  /** The encrypted credentials. Others are stored once the account is connected again; null when it is disconnected. */
  sealed: Uint8Array<ArrayBuffer> | null;
  settings: Record<string, unknown>;
  /** Time of the provider's first call of the webhook address. */
  webhookCalledAt: Date | null;
};

/** The provider's data about a new account. `credentials` and `settings` are stored with the account. */
export type ConnectResult = {
  externalId: string;
  name: string;
  credentials: Record<string, string>;
  settings?: Record<string, unknown>;
  expiresAt?: Date | null;
};

/** Connects accounts of a channel, and handles their webhooks. */
export type AccountChannel = {
  /** Form fields, in order. */
  fields: ChannelField[];
  /** True if the screen also shows a verify token to copy; the webhook address is always shown. */
  showsVerifyToken: boolean;
  /** Instructions for the provider's settings, one per step. */
  steps: string[];
  /** Last step, after connecting, for providers where a person enters the webhook address. Otherwise null. */
  webhookStep: string | null;
  /**
   * Verifies the fields with the provider.
   * @throws Refusal with a message under the field's name
   */
  connect(fields: Record<string, string>): Promise<ConnectResult>;
  /** Registers the webhook address, for providers with an API for that. */
  subscribe?(account: ConnectedAccount, address: string): Promise<void>;
  /** Undoes `subscribe`. A fault is logged and does not prevent disconnecting. */
  unsubscribe?(account: ConnectedAccount): Promise<void>;
  /** Tests the account with the provider. Returns null, or a sentence with the problem. */
  test(account: ConnectedAccount): Promise<{ reason: string; reconnect: boolean } | null>;
  webhook: {
    /** Verifies the signature of a request, without I/O. An invalid request is not stored. */
    verify(request: WebhookRequest, account: ConnectedAccount): WebhookVerdict;
    /**
     * Returns the external ids of the accounts that an update is about, for providers with one webhook address for
     * several accounts. The update is stored for each account whose own secret verifies it. Without this function an
     * update belongs to the account of the address.
     */
    names?(body: Buffer): string[];
    /** Returns the provider's id of an update, unique per account; a digest of the body where there is none. */
    updateId(body: Buffer, headers: WebhookRequest['headers']): string;
    /**
     * Returns the thread and the album of an update that is one part of an album, as `<thread>:<album>`. Such an update
     * waits for the other parts. For providers that send the parts of one message in several updates.
     */
    albumOf?(body: Buffer): string | undefined;
    /** Headers that `receive` needs, in lowercase. */
    storedHeaders: string[];
    /** Parses an update. After an error the update is retried, up to a maximum number of attempts. */
    receive(update: StoredUpdate, account: ConnectedAccount): Promise<ReceivedUpdate[]>;
  };
};

/** Adapter of one channel: sends messages and, optionally, connects accounts. */
export type ChannelAdapter = {
  /** Returns the initial status, in the transaction that saves a message. Reads only the database. */
  firstStatus(
    db: SqlDb,
    conversation: { workspaceId: string; mailboxId: string | null },
  ): Promise<FirstStatus>;
  /** Returns the known reason why a reply would not reach the contact, or null. */
  warning(db: Db, conversation: WarningContext): Promise<SendWarning | null>;
  /** Sends a message within ten seconds. A rejection by the provider is an outcome, not an error. */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** For channels with accounts that are connected in Settings > Channels. */
  accounts?: AccountChannel;
};

/** A file to send to a contact. */
export type OutgoingFile = {
  id: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Content-ID of a picture that the formatting shows; null for other files. */
  contentId: string | null;
  /** Opens the bytes as a stream; each call starts at the beginning. The caller reads it to the end or destroys it. */
  open(): Promise<Readable>;
};

/** A WhatsApp template, and the values of its placeholders: in order, or by name. */
export type OutgoingTemplate = {
  name: string;
  language: string;
  values: { name: string | null; text: string }[];
};

/** The sending mailbox. `dkim` is the signing key of its domain, if there is one. */
export type OutgoingMailbox = {
  address: string;
  name: string;
  dkim: MailSignature | null;
  /** Another server receives the email of its domain, and forwards that of this mailbox. */
  isForwarded: boolean;
};

/** A message that an email quotes. */
export type QuotedMessage = { author: string | null; text: string; sentAt: Date };

/** A message to send to a contact, with everything that a channel needs. */
export type OutgoingMessage = {
  id: string;
  content: string;
  /** Email only: `content` with its formatting, or null. */
  formatted: FormattedText | null;
  authorName: string | null;
  /** Only a teammate's message from the inbox may carry a provider's human agent tag (`docs/rulings.md` 3.19). */
  authorKind: ActorKind;
  /** Number of earlier attempts that were deferred. */
  deferrals: number;
  /** The provider's ids of the parts that it accepted when the message was sent before. */
  providerIds: string[];
  workspaceId: string;
  /** Email only. */
  html: string | null;
  /** Email only: recipients instead of the contact. */
  mailTo: string[];
  cc: string[];
  bcc: string[];
  /** Email only: the recipients who did not get it when it was sent before, if others did. */
  undeliveredTo: string[];
  attachments: OutgoingFile[];
  /** An email to a third party instead of the contact. `original` is null if it was deleted. */
  forward: { to: string; original: QuotedMessage | null } | null;
  /** Email only: the message of the contact that a teammate's reply answers, if it may be quoted. */
  answered: QuotedMessage | null;
  /** WhatsApp only: the approved template to send. `content` is its text. */
  template: OutgoingTemplate | null;
  conversation: {
    id: string;
    subject: string | null;
    channel: Channel;
    /** The provider's id of the thread, for channels that have one. */
    externalThreadId: string | null;
  };
  /** The account that received the conversation; null when there never was one, or it was disconnected. */
  account: ConnectedAccount | null;
  /** The provider's id of the contact; null when unknown. */
  identity: { externalId: string } | null;
  /** Time of the contact's last message in the thread. Providers' messaging windows start at this time. */
  lastReceivedAt: Date | null;
  contact: { name: string | null; email: string | null; phone: string | null } | null;
  /** The mailbox of the conversation, else the default mailbox of the workspace. */
  mailbox: OutgoingMailbox | null;
  /** Email signature of the teammate in this workspace. */
  signature: string | null;
  /** Provider's ids of earlier messages in the conversation, oldest first. */
  references: string[];
};

/**
 * Outcome of sending. `failed`: the provider rejected the message; `reason` is written for a teammate. `deferred`: the
 * provider accepted nothing for now, so the message is retried, and after the last attempt fails with `reason`.
 * `unreported`: the channel reports nothing. `isTimeout`: the provider did not respond in time. `providerIds`: ids of
 * all parts of a long reply; `externalId` is the last one. `undeliveredTo`: recipients of an email whom the mail server refused while it accepted others. `reconnect`: the provider rejected the token, so the account
 * must be connected again.
 */
export type SendOutcome =
  | { status: 'sent'; externalId: string | null; providerIds?: string[] }
  | {
      status: 'failed';
      reason: string;
      reconnect?: boolean;
      providerIds?: string[];
      undeliveredTo?: string[];
    }
  | { status: 'deferred'; reason: string; providerIds?: string[]; isTimeout?: boolean }
  | { status: 'unreported' };

/** Initial status of a message: to be sent, held, or delivered by being saved (null). */
type FirstStatus = Extract<SendStatus, 'sending' | 'held_for_paywall'> | null;

/** A known reason why a reply would not reach the contact, and the setting that fixes the problem, if there is one. */
export type SendWarning = { sentence: string; fix: 'plan' | 'domain' | 'channel' | null };

/** The fields of a conversation that warnings depend on. */
export type WarningContext = {
  workspaceId: string;
  plan: Plan;
  mailboxId: string | null;
  contactEmail: string | null;
  conversationId: string;
  channelAccountId: string | null;
};
