import { createHash } from 'node:crypto';

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

/** The id of an update whose provider gives it none: sent again it has the same bytes. */
export function digestOfBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
