import type { MailSignature } from '#server/core/mail/send-mail.ts';
import type { ActorKind, Channel, Plan, SendStatus } from '#server/generated/prisma/enums.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';

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
