import { createHash } from 'node:crypto';

/** A provider's request as received. */
export type WebhookRequest = {
  method: string;
  headers: Record<string, string | undefined>;
  rawBody: Buffer;
  query: URLSearchParams;
};

/**
 * Result of verifying a request. `accepted`: store the update and respond with an empty `200`. `bad_signature`: respond
 * with `401`. `reply`: respond as the provider's protocol requires, without storing anything.
 */
export type WebhookVerdict =
  | { kind: 'accepted' }
  | { kind: 'bad_signature' }
  | { kind: 'reply'; status: number; contentType: string; body: string };

/** A stored update. */
export type StoredUpdate = { id: string; body: Buffer; headers: Record<string, string>; receivedAt: Date };

/** A file of a message. It is fetched from the provider's own host when the message is processed. */
export type ReceivedFile = {
  name: string;
  contentType: string;
  /** Opens the file, within the provider's limits of size and time. Throws beyond the limits. */
  open(): Promise<AsyncIterable<Uint8Array>>;
};

/** The sender of a message, as the provider identifies them. */
export type ReceivedIdentity = {
  externalId: string;
  /** Further ids of the same person at the provider, used for matching. */
  aliases?: string[];
  /** External id of the account where the provider's ids are unique only per account; else empty. */
  scope: string;
  name: string | null;
  phone: string | null;
  email?: string | null;
};

/** The start of a message that is not stored here, its author's name, and the number of its files. */
export type QuotedAnswer = { author: string | null; content: string; files: number };

/** Context of a message: what it answers, and where its author comes from. */
export type ReceivedContext = {
  /** The provider's id of the message that it answers. */
  answers?: string | undefined;
  /** Asks the provider for the message that it answers, if that is not stored here. */
  findAnswered?: () => Promise<QuotedAnswer | null>;
  /** True if it answers a story of the account. */
  isAboutStory?: boolean;
  /** True if it was forwarded and the provider does not name the original author. */
  isForwarded?: boolean;
  /** Title of the ad through which its author came, and its address or id. */
  ad?: { title: string; source: string } | undefined;
};

/** A file of an album, with its id at the provider and its caption. */
export type ReceivedPart = { externalId: string; content: string; files: ReceivedFile[] };

/** A change in an update, in chronological order. */
export type ReceivedUpdate =
  | {
      kind: 'message';
      /** Unique per workspace: starts with the channel's name. */
      externalId: string;
      /** The provider's id of the thread. The message joins the newest conversation of the thread. */
      threadId: string;
      /** False: the message is dropped unless its thread has a conversation. Default: may start a conversation. */
      startsConversation?: boolean;
      identity: ReceivedIdentity;
      content: string;
      files: ReceivedFile[];
      context?: ReceivedContext;
      /** Parts of an album, in place of content and files. The other parts come in other updates with the same `externalId`. */
      parts?: ReceivedPart[];
    }
  /** A person changed their reactions to a message. `others`: all but the added ones are removed. */
  | {
      kind: 'reaction';
      externalId: string;
      identity: ReceivedIdentity;
      /** Asks the provider for the person's name, once the message is known to be stored here. */
      findName?: () => Promise<string | null>;
      added: string[];
      removed: string[] | 'others';
    }
  /** The author edited a message, or deleted it (`content` is null). */
  | { kind: 'edit'; externalId: string; content: string | null; editedAt: Date }
  | {
      kind: 'status';
      /** The provider's id of one part of a message, as `send` returned it in `externalId` or `providerIds`. */
      providerId: string;
      status: 'sent' | 'failed';
      /** A sentence, for `failed`. */
      reason: string | null;
    }
  /** A person replied in the provider's own app. */
  | { kind: 'echo'; externalId: string; threadId: string; content: string; files: ReceivedFile[] }
  /**
   * A person has new ids at the provider, for example with a new phone number. Their messages have them from now on. Of the earlier ids,
   * those that are `abandonedIds` can be another person's later.
   */
  | {
      kind: 'new_ids';
      earlierIds: string[];
      abandonedIds: string[];
      ids: [string, ...string[]];
      scope: string;
      phone: string | null;
    }
  /** The provider revoked our token. */
  | { kind: 'disconnected'; reason: string };

/** Returns a digest as the id of an update without an id: a repeated update has the same bytes. */
export function digestOfBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
