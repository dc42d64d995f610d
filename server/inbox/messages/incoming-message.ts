import type { Sender } from '#server/contacts/find-or-create-contact.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import { truncateText } from '#server/core/text.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';

/** A message of a contact, as a channel received it. */
export type IncomingMessage = {
  workspaceId: string;
  channel: Channel;
  subject: string | null;
  /** The mailbox that the message was sent to; only for email. */
  mailboxId: string | null;
  /** The provider's id of the thread, for channels that have one. */
  externalThreadId: string | null;
  /** The account at the provider, for channels that have accounts. */
  channelAccountId?: string | null;
  /** Whether it is from testing the AI agent: contact and conversation are tests too, and emit no event. */
  isTest: boolean;
  /** As it was written; empty when there are only attachments. */
  content: string;
  attachmentsCount: number;
  /** The files themselves, stored by `storeFile`, where the channel has them: then they are counted here. */
  attachments?: StoredFile[];
  /**
   * The provider's id of the message, unique in the workspace: a channel whose ids are not puts its own name before them.
   * Null when the provider has none.
   */
  externalId: string | null;
  /** The sender's name, shown when the sender is not the conversation's contact: some threads have several people. */
  senderName?: string | null;
  /**
   * A machine wrote it (decisions: conversations and contacts, 20): it is stored and marked, and nothing follows from it. It
   * reopens nothing, starts no flow, agent or clock, notifies no one, and is no `message.received`.
   */
  automatic?: boolean;
  /** A teammate of the workspace wrote it, by mail to the thread: stored under this name, and nothing follows from it. */
  teammateName?: string | null;
  /** What is stored of an email besides. */
  mail?: ReceivedMail;
};

/** Who wrote a message, and in which conversation. */
export type Target = {
  /** The conversation that the channel knows; null starts a new one. */
  conversationId: string | null;
  contact: Sender;
  /** Whether the contact is only who a visitor claims to be, by an address that no one verified. */
  contactClaimed: boolean;
};

/**
 * Finds where a message belongs. Every channel has its own place: `knownPlace` for email, `providerThread` for providers,
 * `visitorChat` for the web chat.
 */
export type Place = {
  /** Called in the message's transaction, before any conversation is locked. */
  find(tx: SqlDb): Promise<Target>;
  /** Stores in the same transaction what the next message needs. */
  settle(tx: SqlDb, target: Target, received: Received): Promise<void>;
};

/** Returns the place of a message whose target was found before its transaction. */
export function knownPlace(target: Target): Place {
  return { find: async () => target, settle: async () => undefined };
}

/** What a mail has that no other message has. */
export type ReceivedMail = {
  /** Its Message-ID with its brackets: answers that name it belong to the same conversation. */
  messageIdHeader: string | null;
  /** Whether the address of the sender may be believed; null where its domain says nothing of that. */
  senderVerified: boolean | null;
  /** Whom it was addressed to, openly, in lowercase; `RECIPIENTS_KEPT_MAX` of each are kept. */
  to: string[];
  cc: string[];
  /** Without anything that could act. */
  html: string | null;
  /** All of the text, where `content` is a part of it. */
  fullContent: string | null;
  /** The raw mail, a stored file. */
  originalFileId: string | null;
};

/** Whether nothing follows from a message: no contact wrote it in person. */
export function isQuiet({ automatic, teammateName }: IncomingMessage): boolean {
  return automatic === true || teammateName != null;
}

/** Where a message of a contact went. */
export type Received = {
  messageId: string;
  conversationId: string;
  /** Null when nothing is known of who wrote. */
  contactId: string | null;
};

/** Where a message went that its provider knows by this id, or undefined when it was not taken in yet. */
export async function findReceived({
  workspaceId,
  externalId,
}: {
  workspaceId: string;
  externalId: string | null;
}): Promise<Received | undefined> {
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

/** How much of a message is kept, in characters; what is sent through the API is much shorter. */
export const CONTENT_MAX_LENGTH = 50_000;
/** How much of a subject is kept, in characters: the longest line that mail may have (RFC 5322 §2.1.1). */
export const SUBJECT_MAX_LENGTH = 998;

const CUT_NOTE = `\n\n[Cut here: the message was longer than ${CONTENT_MAX_LENGTH.toLocaleString('en')} characters.]`;

/**
 * The message as it is kept: content and subject within their lengths, and the attachments counted.
 * @throws Refusal when the number of attachments is none
 */
export function fitIncoming(incoming: IncomingMessage): IncomingMessage {
  const { attachments, content, subject } = incoming;
  const attachmentsCount = attachments?.filter((file) => !file.inline).length ?? incoming.attachmentsCount;
  if (!Number.isInteger(attachmentsCount) || attachmentsCount < 0) {
    const sentence = 'The number of attachments (attachments_count) must be a whole number, 0 or more.';
    throw invalid({ attachments_count: [sentence] });
  }
  return {
    ...incoming,
    attachmentsCount,
    content: truncateText(content, CONTENT_MAX_LENGTH, CUT_NOTE),
    subject: truncateText(subject?.trim() ?? '', SUBJECT_MAX_LENGTH) || null,
  };
}
