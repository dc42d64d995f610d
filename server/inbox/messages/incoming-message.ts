import type { ContactFields } from '#server/contacts/contact-fields.ts';
import type { ChannelIdentity } from '#server/contacts/contact-of-identity.ts';
import type { Sender } from '#server/contacts/find-or-create-contact.ts';
import { db } from '#server/core/database/prisma.ts';
import { truncateText } from '#server/core/text.ts';
import type { Channel, OfferKind } from '#server/generated/prisma/enums.ts';
import type { QuotedAnswer } from '#server/inbox/channels/received-update.ts';
import type { TimelineContent } from '#server/inbox/conversations/timeline.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import type { SenderChecks } from '#server/inbox/mail-parser/authenticated-mail.ts';
import type { CalendarInvitation } from '#server/inbox/mail-parser/parsed-mail.ts';

/** A message of a contact, as received by a channel. */
export type IncomingMessage = {
  workspaceId: string;
  channel: Channel;
  /** Email only, as is `mailboxId`, the receiving mailbox. */
  subject?: string | null;
  mailboxId?: string | null;
  /** The provider's id of the thread, for channels with threads. */
  externalThreadId?: string | null;
  /** The account at the provider, for channels with accounts. */
  channelAccountId?: string | null;
  /** A test of the AI agent. A new contact and conversation are tests too, and emit no events. */
  isTest?: boolean;
  /** Empty if there are only attachments. */
  content: string;
  context?: MessageContext | null;
  /** Files stored by `storeFile`. */
  attachments?: StoredFile[];
  /** Parts of an album, with the provider's ids and the texts that `content` joins. */
  parts?: MessagePart[];
  /**
   * The provider's id of the message, unique in the workspace; null if the provider has none. Channels whose ids are not
   * unique add the channel's name as a prefix.
   */
  externalId: string | null;
  /** The sender's name, shown if the sender is not the conversation's contact: a thread can have several people. */
  senderName?: string | null;
  /**
   * A machine wrote the message (docs/rulings.md 3.20). It is stored and marked, but reopens no conversation, starts no
   * flow, agent or clock, notifies no one and emits no `message.received`.
   */
  automatic?: boolean;
  /** Name of the machine that wrote an automatic message, shown instead of the contact's. */
  machineName?: string | null;
  /** Timeline entries that a message to a known conversation adds. */
  entries?: TimelineContent[];
  /** A teammate of the workspace wrote the message by email to the thread. It has no effects, as with `automatic`. */
  teammateName?: string | null;
  /** Email only, if it starts a conversation. */
  offer?: NewOffer | null;
  /** Email only. */
  mail?: ReceivedMail;
};

/** A file of an album. The provider sends each file as a message; here the album is one message. */
export type MessagePart = { externalId: string; content: string };

/** Context of a chat message: what it answers, and where its author comes from (docs/rulings.md 3.41). */
export type MessageContext = {
  /** Id of the message that it answers, if it is stored here. */
  answersId: string | null;
  /** The message that it answers, if that is not stored here and the provider returned it. */
  quoted?: QuotedAnswer;
  isAboutStory: boolean;
  isForwarded: boolean;
  /** The ad through which its author came. */
  ad: { title: string; source: string } | null;
};

/** Offer to change the contact of a new conversation to this person (docs/rulings.md 3.44). */
export type NewOffer = {
  kind: OfferKind;
  email: string;
  firstName: string | null;
  lastName: string | null;
};

/** The sender of a message and the conversation that it belongs to. */
export type Target = {
  /** Null starts a new conversation. */
  conversationId: string | null;
  contact: Sender;
  /** True if the contact's address is unverified. */
  contactClaimed: boolean;
  /** The sender is not the contact of `conversationId`: a person in copy of an email, or a teammate. */
  isOther?: boolean;
};

/** Where a message belongs: `known` already, or to be found by `findTarget` in the transaction that stores it. */
export type Place =
  | { kind: 'known'; target: Target }
  /** The provider's thread that the message names. */
  | { kind: 'thread'; identity: ChannelIdentity }
  /** A new conversation with an author who is not verified. */
  | { kind: 'unverified'; fields: ContactFields; authentication: 'failed' | 'unknown' };

/**
 * Why a mail is in its conversation. It joined it because it `answers` a message there or went to its `reply_address`, or
 * came back (`returned`). It started a new one because it `names_none`, names only `unknown` ones, its sender is missing or
 * not believed (`not_believed`) or takes no part in those that it names (`other_person`), or because the one that it
 * belongs to has `ended`. `continues`: that one has ended, and this one continues it.
 */
export type ThreadReason =
  | 'answers'
  | 'reply_address'
  | 'returned'
  | 'names_none'
  | 'unknown'
  | 'not_believed'
  | 'other_person'
  | 'ended'
  | 'continues';

/** The parts of a message that only email has. */
export type ReceivedMail = {
  /** Message-ID with its brackets. Replies that refer to it belong to the same conversation. */
  messageIdHeader: string | null;
  /** Address of the author, in lowercase. */
  author?: string | null;
  /** Addresses that the author asks to answer, in lowercase: Reply-To without the author and our addresses. */
  replyTo?: string[];
  /** Result of authenticating the sender's address; null if there is no result (docs/rulings.md 3.29). */
  senderVerified: boolean | null;
  /** The results of SPF, DKIM and DMARC. */
  senderChecks?: SenderChecks | null;
  /** Why it is in its conversation. */
  threadReason?: ThreadReason;
  /** Its headers forbid automatic answers (docs/rulings.md 3.20). */
  forbidsAnswers?: boolean;
  /** Addresses in To, in lowercase. At most `RECIPIENTS_STORED_MAX` are stored. */
  to: string[];
  cc: string[];
  /** Sanitized HTML, without active content. */
  html: string | null;
  invitation?: CalendarInvitation | null;
  /** The complete text, if `content` is a part of it. */
  fullContent: string | null;
  /** Stored file with the raw email. */
  originalFileId: string | null;
};

/** Returns whether a message has no effects, because no contact wrote it in person. */
export function isQuiet({ automatic, teammateName }: IncomingMessage): boolean {
  return automatic === true || teammateName != null;
}

/** The stored message of a contact. */
export type Received = {
  messageId: string;
  conversationId: string;
  contactId: string | null;
};

/** Returns the stored message with a provider's id; undefined if it was not received yet. */
export async function findReceived(which: {
  workspaceId: string;
  externalId: string | null;
}): Promise<Received | undefined> {
  const { workspaceId, externalId } = which;
  if (externalId === null) return undefined;
  const message = await db().message.findUnique({
    where: { workspaceId_externalId: { workspaceId, externalId } },
    select: { id: true, conversation: { select: { id: true, contactId: true } } },
    relationLoadStrategy: 'join',
  });
  if (!message) return undefined;
  const { id: messageId, conversation } = message;
  return { messageId, conversationId: conversation.id, contactId: conversation.contactId };
}

/** Maximum length of a received message, in characters. Longer ones are truncated. */
export const CONTENT_MAX_LENGTH = 50_000;
/** Maximum length of a received subject, in characters: the line limit of email (RFC 5322 §2.1.1). */
export const SUBJECT_MAX_LENGTH = 998;

const CUT_NOTE = `\n\n[Cut here: the message was longer than ${CONTENT_MAX_LENGTH.toLocaleString('en')} characters.]`;

/** Truncates content and subject to their maximum lengths. */
export function fitIncoming(incoming: IncomingMessage): IncomingMessage {
  const { content, subject } = incoming;
  return {
    ...incoming,
    content: truncateText(content, CONTENT_MAX_LENGTH, CUT_NOTE),
    subject: truncateText(subject?.trim() ?? '', SUBJECT_MAX_LENGTH) || null,
  };
}
