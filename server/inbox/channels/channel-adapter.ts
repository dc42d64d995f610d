import type { Channel, Plan, SendStatus } from '#server/generated/prisma/enums.ts';
import type { Db } from '#server/ground/db.ts';

/** A message on its way to a contact, with all that a channel needs to send it. */
export type OutgoingMessage = {
  id: string;
  content: string;
  authorName: string | null;
  conversation: {
    subject: string | null;
    channel: Channel;
    /** The provider's own id of the thread, for channels that have one. */
    externalThreadId: string | null;
  };
  contact: { name: string | null; email: string | null; phone: string | null } | null;
  /** The conversation's mailbox; the workspace's default one when it has none of its own. */
  mailbox: { address: string; name: string } | null;
  /** The provider's ids of earlier messages of the conversation, oldest first. */
  references: string[];
};

/**
 * What came of sending: the channel took it, it refused with a reason that a teammate understands, or it reports
 * nothing.
 */
export type SendOutcome =
  | { status: 'sent'; externalId: string | null }
  | { status: 'failed'; reason: string }
  | { status: 'unreported' };

/** How a new message begins: it must be sent, it is held, or it has arrived by being saved (null). */
export type FirstStatus = Extract<SendStatus, 'sending' | 'held_for_paywall'> | null;

/** Why a reply would not reach the contact, told before it is sent, and what would mend that, if anything here does. */
export type SendWarning = { sentence: string; mend: 'plan' | 'domain' | null };

/** One channel: where conversations come from, and how messages leave. */
export type ChannelAdapter = {
  /** Judges in the transaction that saves a message how it begins. Asks the database only, never the provider. */
  firstStatus(db: Db, conversation: { workspaceId: string; mailboxId: string | null }): Promise<FirstStatus>;
  /** What keeps a reply in a conversation from reaching the contact, as far as it can be known; null when nothing. */
  warning(
    db: Db,
    conversation: { workspaceId: string; plan: Plan; mailboxId: string | null; contactEmail: string | null },
  ): Promise<SendWarning | null>;
  /** Sends a message; settles within ten seconds. A refusal of the provider is an outcome, not an error. */
  send(message: OutgoingMessage): Promise<SendOutcome>;
};
