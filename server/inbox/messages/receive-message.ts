import { inTransaction, type Tx } from '#server/ground/db.ts';
import { invalid } from '#server/ground/errors.ts';
import { isUniqueViolation } from '#server/ground/is-unique-violation.ts';
import { queueJob } from '#server/ground/jobs/queue-job.ts';
import {
  type ChannelIdentity,
  contactOfIdentity,
} from '#server/inbox/channels/inbound/contact-of-identity.ts';
import { type Change, changeOf, joinChanges } from '#server/inbox/conversations/change.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { lockWhereContactWrites } from '#server/inbox/conversations/lock-target-conversation.ts';
import { setStatus } from '#server/inbox/conversations/set-status.ts';
import { type ConversationDraft, startConversation } from '#server/inbox/conversations/start-conversation.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { runFlows } from '#server/inbox/flows/run-flows.ts';
import { findReceived, type Received } from '#server/inbox/messages/find-received.ts';
import { messageRecord, messageSelect } from '#server/inbox/messages/message-record.ts';
import { truncateText } from '#server/inbox/messages/truncate-text.ts';
import type { Sender } from '#server/people/contacts/find-sender.ts';
import type { Actor } from '#server/people/teammates/actor.ts';

/** What a channel hands over when a contact has written. */
export type IncomingMessage = ConversationDraft & {
  /** The conversation it belongs to, as far as the channel knows; null starts a new one. */
  conversationId: string | null;
  /** As it was written; empty when there are only attachments. */
  content: string;
  attachmentsCount: number;
  /** The files themselves, stored by `storeFile`, where the channel has them: then they are counted here. */
  attachments?: StoredFile[];
  /**
   * The provider's id of the message, one of a kind in the workspace: a channel whose ids are not puts its own name
   * before them. Null when the provider has none.
   */
  externalId: string | null;
  /**
   * Who writes, as a provider knows them: their contact is found by that, and their conversation by `channelAccountId` and
   * `externalThreadId`, in place of `conversationId` and `contact`.
   */
  identity?: ChannelIdentity;
  /** Where the channel itself remembers who writes: asked in place of `conversationId` and `contact`. */
  memory?: VisitorState;
  /**
   * A machine wrote it (decisions: conversations and contacts, 20): it is kept and marked, and nothing follows from it. It
   * reopens nothing, starts no flow, agent or clock, tells nobody, and is no `message.received`.
   */
  automatic?: boolean;
  /** A teammate of the workspace wrote it, by mail to the thread: kept under this name, and nothing follows from it either. */
  teammateName?: string | null;
  /** What is kept of a mail besides. */
  mail?: ReceivedMail;
};

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

/** What a channel remembers of the sender, read and kept in the transaction of the message. */
export type VisitorState = {
  /** Locks what is remembered, so that two messages of one writer at once follow one another. */
  load(tx: Tx): Promise<Pick<IncomingMessage, 'conversationId' | 'contact' | 'contactClaimed'>>;
  save(tx: Tx, received: Received): Promise<void>;
};

/** How much of a message is kept, in characters; what is sent through the API is much shorter. */
export const CONTENT_MAX_LENGTH = 50_000;
/** How much of a mail that was trimmed is kept in whole, in characters; its original has the rest. */
const FULL_CONTENT_MAX_LENGTH = 200_000;
/** How many addresses of each of To and Cc are kept; the original of the mail has the rest. */
const RECIPIENTS_KEPT_MAX = 50;
/** How much of a subject is kept, in characters: the longest line that mail may have (RFC 5322 §2.1.1). */
export const SUBJECT_MAX_LENGTH = 998;

/** How long a conversation from testing the AI agent is kept, in seconds. */
const TEST_KEPT_SECONDS = 86_400;

const CUT_NOTE = `\n\n[Cut here: the message was longer than ${CONTENT_MAX_LENGTH.toLocaleString('en')} characters.]`;

/**
 * Takes in what a contact wrote on any channel: into its conversation, which it reopens when it was pending or solved;
 * into the one it was merged into; or into a new one when there is none or it is closed (decisions: conversations and
 * contacts, 3). Tells the assignee. Handed over again, also at once, it changes nothing. Emits `contact.created`
 * (someone new), then `conversation.created` or, when it reopened, `conversation.status_changed`, then
 * `message.received`, then what flows did to a new one. The AI agent answers it from a job. What was written is never
 * refused: it is kept as far as it can be.
 * @throws Refusal when the workspace has no such conversation, the number of attachments is none, or a stored file is
 * not there any more
 */
export async function receiveMessage(incoming: IncomingMessage): Promise<Received> {
  const message = keepable(incoming);
  const before = await findReceived(message);
  if (before) return before;
  try {
    return await inTransaction(async (tx) => {
      const { memory, identity } = message;
      if (identity) return receiveInto(tx, await placeByIdentity(tx, message, identity));
      if (!memory) return receiveInto(tx, message);
      const received = await receiveInto(tx, { ...message, ...(await memory.load(tx)) });
      await memory.save(tx, received);
      return received;
    });
  } catch (error) {
    // Handed over twice at once: the unique index has let in the other one, and nothing is left of this.
    const other = isUniqueViolation(error) ? await findReceived(message) : undefined;
    if (other) return other;
    throw error;
  }
}

/** Whose it is, and where it goes: into the newest conversation of the thread, or a new one. */
async function placeByIdentity(
  tx: Tx,
  message: IncomingMessage,
  identity: ChannelIdentity,
): Promise<IncomingMessage> {
  const { workspaceId, channelAccountId = null, externalThreadId } = message;
  const contactId = await contactOfIdentity(tx, { workspaceId, identity, now: new Date() });
  const conversation =
    externalThreadId === null
      ? null
      : await tx.conversation.findFirst({
          where: { workspaceId, channelAccountId, externalThreadId },
          select: { id: true },
          orderBy: { createdAt: 'desc' },
        });
  return { ...message, contact: { id: contactId }, conversationId: conversation?.id ?? null };
}

/** In a thread of several people only its contact needs no name beside what they wrote. */
function authorNameOf({ identity, contact }: IncomingMessage, contactId: string | null): string | null {
  return identity && 'id' in contact && contact.id !== contactId ? identity.name : null;
}

function keepable(incoming: IncomingMessage): IncomingMessage {
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

async function receiveInto(tx: Tx, incoming: IncomingMessage): Promise<Received> {
  const { workspaceId, conversationId } = incoming;
  if (conversationId === null) return receiveIntoNew(tx, incoming);
  const { conversation, known } = await lockWhereContactWrites(tx, { workspaceId, id: conversationId });
  if (isQuiet(incoming)) {
    return addMessage(tx, conversation, {
      incoming,
      actor: { kind: 'automatic' },
      change: changeOf(),
      now: new Date(),
    });
  }
  if (conversation.status === 'closed') {
    const contact = writerAfter(incoming.contact, known.contactId ?? conversation.contactId);
    return receiveIntoNew(tx, { ...incoming, contact, isTest: conversation.isTest });
  }
  const now = new Date();
  // No one reopens it: the message does.
  const change = setStatus(conversation, { status: 'open', now });
  return addMessage(tx, conversation, { incoming, actor: { kind: 'automatic' }, change, now });
}

/**
 * Who begins another conversation after a closed one: the contact whom the channel knows, else the one of the
 * conversation that they know, even if it was merged into someone else's.
 */
function writerAfter(writer: Sender, contactId: string | null): Sender {
  return 'id' in writer || contactId === null ? writer : { id: contactId };
}

async function receiveIntoNew(tx: Tx, incoming: IncomingMessage): Promise<Received> {
  const now = new Date();
  const quiet = isQuiet(incoming);
  const { conversation, change: started } = await startConversation(tx, incoming, now);
  // Nobody waits for an answer to what a machine wrote.
  const change = quiet ? { ...started, clocks: [] } : started;
  const received = await addMessage(tx, conversation, { incoming, actor: { kind: 'contact' }, change, now });
  const text = `${incoming.subject ?? ''}\n${incoming.content}`;
  if (!conversation.isTest && !quiet) await runFlows(tx, conversation, { text, now });
  return received;
}

/** Whether nothing follows from a message: no contact wrote it in person. */
function isQuiet({ automatic, teammateName }: IncomingMessage): boolean {
  return automatic === true || teammateName != null;
}

/** Adds the message, and writes with it what it did to the conversation. */
async function addMessage(
  tx: Tx,
  conversation: LockedConversation,
  { incoming, actor, change, now }: { incoming: IncomingMessage; actor: Actor; change: Change; now: Date },
): Promise<Received> {
  const { id: conversationId, workspaceId, assignee, contactId, isTest } = conversation;
  const { automatic = false, teammateName = null } = incoming;
  const quiet = isQuiet(incoming);
  const message = await tx.message.create({
    data: {
      ...(await mailColumns(tx, { workspaceId, mail: incoming.mail })),
      workspaceId,
      conversationId,
      direction: 'inbound',
      authorKind: 'contact',
      authorName: teammateName ?? authorNameOf(incoming, contactId),
      automatic,
      content: incoming.content,
      attachmentsCount: incoming.attachmentsCount,
      externalId: incoming.externalId,
      createdAt: now,
    },
    select: messageSelect,
  });
  const { attachments = [] } = incoming;
  await linkFiles(tx, { workspaceId, messageId: message.id, files: attachments, now });
  const { messageIdHeader = null } = incoming.mail ?? {};
  if (messageIdHeader !== null) {
    await tx.mailReference.create({
      data: { workspaceId, messageIdHeader, messageId: message.id, conversationId },
    });
  }
  const written = changeOf({
    columns: { lastMessageAt: now },
    events: quiet
      ? []
      : [{ key: 'message.received', subjectId: message.id, details: { message: messageRecord(message) } }],
    notifications:
      assignee && !isTest && !quiet
        ? [{ userId: assignee.id, kind: 'contact_wrote', data: { messageId: message.id } }]
        : [],
  });
  await writeChange(tx, conversation, { actor, change: joinChanges([change, written]), now });
  if (!quiet) await queueFollowUp(tx, conversation, message.id);
  return { messageId: message.id, conversationId, contactId };
}

/** What a message keeps of a mail; its raw form then stays for as long as the message does. */
async function mailColumns(
  tx: Tx,
  { workspaceId, mail }: { workspaceId: string; mail: ReceivedMail | undefined },
) {
  if (!mail) return {};
  const { senderVerified, html, fullContent, originalFileId } = mail;
  const { count } = originalFileId
    ? await tx.storedFile.updateMany({
        where: { id: originalFileId, workspaceId, sizeBytes: { not: null } },
        data: { expiresAt: null },
      })
    : { count: 0 };
  return {
    senderVerified,
    mailTo: keptRecipients(mail.to),
    cc: keptRecipients(mail.cc),
    html,
    fullContent: fullContent === null ? null : truncateText(fullContent, FULL_CONTENT_MAX_LENGTH),
    trimmed: fullContent !== null,
    originalFileId: count === 1 ? originalFileId : null,
  };
}

function keptRecipients(addresses: string[]): string[] {
  return [...new Set(addresses)].slice(0, RECIPIENTS_KEPT_MAX);
}

/** A test of the AI agent is answered by the person testing, and removed some time after its last message. */
async function queueFollowUp(
  tx: Tx,
  { id: conversationId, isTest, aiAgentEnabled, aiAgentSilenced }: LockedConversation,
  messageId: string,
): Promise<void> {
  if (isTest) {
    const options = { inSeconds: TEST_KEPT_SECONDS, key: `remove-test:${conversationId}` };
    await queueJob(tx, 'remove-test-conversation', { conversationId }, options);
  } else if (aiAgentEnabled && !aiAgentSilenced) {
    await queueJob(tx, 'answer-contact', { messageId });
  }
}
