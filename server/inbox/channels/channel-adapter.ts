import type { Db } from '#server/core/database/db.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ChannelField } from '#server/inbox/channels/channel-names.ts';
import type {
  FirstStatus,
  OutgoingMessage,
  SendOutcome,
  SendWarning,
  WarningContext,
} from '#server/inbox/channels/outgoing-message.ts';
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
