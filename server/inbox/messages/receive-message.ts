import { inTransaction, type Tx } from '#server/ground/db.ts';
import { invalid } from '#server/ground/errors.ts';
import { isUniqueViolation } from '#server/ground/is-unique-violation.ts';
import { queueJob } from '#server/ground/jobs/queue-job.ts';
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
  /** Where the channel itself remembers who writes: asked in place of `conversationId` and `contact`. */
  memory?: VisitorState;
};

/** What a channel remembers of whoever writes, read and kept in the transaction of the message. */
export type VisitorState = {
  /** Locks what is remembered, so that two messages of one writer at once follow one another. */
  recall(tx: Tx): Promise<Pick<IncomingMessage, 'conversationId' | 'contact' | 'contactClaimed'>>;
  keep(tx: Tx, received: Received): Promise<void>;
};

/** How much of a message is kept, in characters; what is sent through the API is much shorter. */
export const CONTENT_MAX_LENGTH = 50_000;
/** How much of a subject is kept, in characters: the longest line that mail may have (RFC 5322 §2.1.1). */
export const SUBJECT_MAX_LENGTH = 998;

/** How long a conversation from testing the AI agent is kept, in seconds. */
const TEST_KEPT_SECONDS = 86_400;

const CUT_NOTE = `\n\n[Cut here: the message was longer than ${CONTENT_MAX_LENGTH.toLocaleString('en')} characters.]`;

/**
 * Takes in what a contact wrote on any channel: into its conversation, which it reopens when it was pending or
 * solved; into the one it was merged into; or into a new one when there is none or it is closed (decisions:
 * conversations and contacts, 3). Tells the assignee. Handed over again, also at once, it changes nothing. Emits
 * `contact.created` (someone new), then `conversation.created` or, when it reopened, `conversation.status_changed`,
 * then `message.received`, then what flows did to a new one. The AI agent answers it from a job. What was written is never refused: it is kept as far as it can be.
 * @throws Refusal when the workspace has no such conversation, the number of attachments is none, or a stored file is not
 * there any more
 */
export async function receiveMessage(incoming: IncomingMessage): Promise<Received> {
  const message = keepable(incoming);
  const before = await findReceived(message);
  if (before) return before;
  try {
    return await inTransaction(async (tx) => {
      const { memory } = message;
      if (!memory) return takeIn(tx, message);
      const received = await takeIn(tx, { ...message, ...(await memory.recall(tx)) });
      await memory.keep(tx, received);
      return received;
    });
  } catch (error) {
    // Handed over twice at once: the unique index has let in the other one, and nothing is left of this.
    const other = isUniqueViolation(error) ? await findReceived(message) : undefined;
    if (other) return other;
    throw error;
  }
}

function keepable(incoming: IncomingMessage): IncomingMessage {
  const { attachments, content, subject } = incoming;
  const attachmentsCount = attachments?.length ?? incoming.attachmentsCount;
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

async function takeIn(tx: Tx, incoming: IncomingMessage): Promise<Received> {
  const { workspaceId, conversationId } = incoming;
  if (conversationId === null) return takeInNew(tx, incoming);
  const { conversation, known } = await lockWhereContactWrites(tx, { workspaceId, id: conversationId });
  if (conversation.status === 'closed') {
    const contact = writerAfter(incoming.contact, known.contactId ?? conversation.contactId);
    return takeInNew(tx, { ...incoming, contact, isTest: conversation.isTest });
  }
  const now = new Date();
  // Nobody reopens it: the message does.
  const change = setStatus(conversation, { status: 'open', now });
  return addMessage(tx, conversation, { incoming, actor: { kind: 'automatic' }, change, now });
}

/**
 * Who begins another conversation after a closed one: the contact whom the channel knows, else the one of the conversation
 * that they know, even if it was merged into somebody else's.
 */
function writerAfter(writer: Sender, contactId: string | null): Sender {
  return 'id' in writer || contactId === null ? writer : { id: contactId };
}

async function takeInNew(tx: Tx, incoming: IncomingMessage): Promise<Received> {
  const now = new Date();
  const { conversation, change } = await startConversation(tx, incoming, now);
  const received = await addMessage(tx, conversation, { incoming, actor: { kind: 'contact' }, change, now });
  const text = `${incoming.subject ?? ''}\n${incoming.content}`;
  if (!conversation.isTest) await runFlows(tx, conversation, { text, now });
  return received;
}

/** Adds the message, and writes with it what it did to the conversation. */
async function addMessage(
  tx: Tx,
  conversation: LockedConversation,
  { incoming, actor, change, now }: { incoming: IncomingMessage; actor: Actor; change: Change; now: Date },
): Promise<Received> {
  const { id: conversationId, workspaceId, assignee, contactId, isTest } = conversation;
  const message = await tx.message.create({
    data: {
      workspaceId,
      conversationId,
      direction: 'inbound',
      authorKind: 'contact',
      content: incoming.content,
      attachmentsCount: incoming.attachmentsCount,
      externalId: incoming.externalId,
      createdAt: now,
    },
    select: messageSelect,
  });
  const { attachments = [] } = incoming;
  await linkFiles(tx, { workspaceId, messageId: message.id, files: attachments, now });
  const written = changeOf({
    columns: { lastMessageAt: now },
    events: [
      { key: 'message.received', subjectId: message.id, details: { message: messageRecord(message) } },
    ],
    notifications:
      assignee && !isTest
        ? [{ userId: assignee.id, kind: 'contact_wrote', data: { messageId: message.id } }]
        : [],
  });
  await writeChange(tx, conversation, { actor, change: joinChanges([change, written]), now });
  await queueFollowUp(tx, conversation, message.id);
  return { messageId: message.id, conversationId, contactId };
}

/** A test of the AI agent is answered by whoever makes it, and removed some time after its last message. */
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
