import type { ActorKind, Channel, Plan, SendStatus } from '#server/generated/prisma/enums.ts';
import type { Db } from '#server/ground/db.ts';
import type { MailSignature } from '#server/ground/mail/send-mail.ts';
import type { ChannelField } from '#server/inbox/channels/views.ts';

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

/** A file on its way to a contact. */
export type OutgoingFile = {
  id: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Its bytes as they are read; each call reads it from the beginning. */
  open(): Promise<AsyncIterable<Uint8Array>>;
};

/** A template of WhatsApp's, and what stands in its places: in order, or by their names. */
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
  /** E-mail only. */
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
  /** What stands below what a teammate wrote, in mails: theirs in this workspace. */
  signature: string | null;
  /** The provider's ids of earlier messages of the conversation, oldest first. */
  references: string[];
};

/**
 * What came of sending: the channel took it, it refused with a reason that a teammate understands, it takes nothing just
 * now, or it reports nothing. `deferred`: nothing was taken, so that it is sent again later; after the last attempt it
 * has failed for `reason`. `providerIds`: the ids of all parts of a long reply, `externalId` being the last one's. `reconnect`: the
 * provider called the token invalid, so that the account needs to be connected again.
 */
export type SendOutcome =
  | { status: 'sent'; externalId: string | null; providerIds?: string[] }
  | { status: 'failed'; reason: string; reconnect?: boolean; providerIds?: string[] }
  | { status: 'deferred'; reason: string; providerIds?: string[] }
  | { status: 'unreported' };

/** How a new message begins: it must be sent, it is held, or it has arrived by being saved (null). */
export type FirstStatus = Extract<SendStatus, 'sending' | 'held_for_paywall'> | null;

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

/** A request of a provider, as it came. */
export type WebhookRequest = {
  method: string;
  headers: Record<string, string | undefined>;
  rawBody: Buffer;
  query: URLSearchParams;
};

/**
 * What is said to a provider's request: `take` it in, which is answered with an empty `200`; that its signature is
 * wrong (`401`); or something the provider's protocol asks for, without keeping anything.
 */
export type WebhookVerdict =
  | { kind: 'take' }
  | { kind: 'bad_signature' }
  | { kind: 'reply'; status: number; contentType: string; body: string };

/** An update that was kept, as its channel reads it. */
export type KeptUpdate = { id: string; body: Buffer; headers: Record<string, string>; receivedAt: Date };

/** A file that came with a message: fetched from the provider's own host when the message is worked off. */
export type ReceivedFile = {
  name: string;
  contentType: string;
  /** Ends within the provider's limits of size and time, and throws beyond them. */
  open(): Promise<AsyncIterable<Uint8Array>>;
};

/** Who wrote, as the provider knows them. */
export type ReceivedIdentity = {
  externalId: string;
  /** Other ids that the provider has of the same person, by which they may be known, too. */
  aliases?: string[];
  /** The account's external id where the provider's ids of people hold for one account alone; else empty. */
  scope: string;
  name: string | null;
  phone: string | null;
  email?: string | null;
};

/** What is in an update, in the order in which it happened. */
export type ReceivedUpdate =
  | {
      kind: 'message';
      /** One of a kind in the workspace: it begins with the channel's name. */
      externalId: string;
      /** The provider's id of the thread: what is written there goes to the newest conversation of it. */
      threadId: string;
      /** False: it belongs to a thread that has a conversation already, or to nothing. Without it: it may start one. */
      startsConversation?: boolean;
      identity: ReceivedIdentity;
      content: string;
      files: ReceivedFile[];
    }
  | { kind: 'edit'; externalId: string; content: string; editedAt: Date }
  | {
      kind: 'status';
      /** The provider's id of one part of a message, as `send` gave it in `externalId` or `providerIds`. */
      providerId: string;
      status: 'sent' | 'failed';
      /** A sentence, when it failed. */
      reason: string | null;
    }
  /** A person answered in the provider's own app: the thread shows it. */
  | { kind: 'echo'; externalId: string; threadId: string; content: string; files: ReceivedFile[] }
  /** The provider says that our token ended. */
  | { kind: 'disconnected'; reason: string };

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
  /** Ends what `subscribe` began; a fault is logged and keeps nobody from disconnecting. */
  unsubscribe?(account: ConnectedAccount): Promise<void>;
  /** Asks the provider whether the account still works: null, or what is wrong, as a sentence. */
  test(account: ConnectedAccount): Promise<{ reason: string; reconnect: boolean } | null>;
  webhook: {
    /** Judges a request by its signature, which leaves nothing when it is wrong. Asks nobody. */
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
    /** Reads what is in an update. A fault is tried again, and set aside after some attempts. */
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
