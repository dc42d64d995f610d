import { v7 as uuidv7 } from 'uuid';
import type { Sender } from '#server/contacts/find-or-create-contact.ts';
import type { MessageRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { jobRow } from '#server/core/jobs/outbox.ts';
import { truncateText } from '#server/core/text.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type Change, changeOf, joinChanges } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { newConversationJob } from '#server/inbox/conversations/notify-of-new-conversations.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { fileRows } from '#server/inbox/files/link-files.ts';
import { insertParts } from '#server/inbox/messages/album-parts.ts';
import { findAuthorName } from '#server/inbox/messages/find-author-name.ts';
import {
  type IncomingMessage,
  isQuiet,
  type NewOffer,
  type Received,
  type ReceivedMail,
} from '#server/inbox/messages/incoming-message.ts';
import { changeReplyTo } from '#server/inbox/messages/reply-to.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Maximum length of the full text of a trimmed email, in characters. The original email has the rest. */
const FULL_CONTENT_MAX_LENGTH = 200_000;
/** Maximum number of stored addresses in To and in Cc. The original email has the rest. */
const RECIPIENTS_STORED_MAX = 50;

/** Lifetime of a test conversation with the AI agent, in seconds. */
const TEST_LIFETIME_SECONDS = 86_400;

/**
 * Inserts a contact's message into its conversation, together with `arrival.change`.
 * @param arrival.isNew this transaction inserted the conversation at `now`, with the times of the message
 * @param arrival.isMerged the sender's own conversation was merged into this one
 */
export async function addReceivedMessage(
  tx: SqlDb,
  conversation: LockedConversation,
  arrival: {
    message: IncomingMessage;
    contact: Sender;
    isNew: boolean;
    isMerged: boolean;
    actor: Actor;
    change: Change;
    now: Date;
  },
): Promise<Received> {
  const { id: conversationId, workspaceId, isTest, record } = conversation;
  const { message, contact, isNew, isMerged, actor, change, now } = arrival;
  const { content, attachments: files = [] } = message;
  const attachmentsCount = files.filter((file) => !file.inline).length;
  const contactId = record.contact?.id ?? null;
  const id = uuidv7();
  const isOurs = message.teammateName != null || message.machineName != null;
  const authorName =
    message.teammateName ??
    message.machineName ??
    (await findAuthorName(tx, conversation, { message, sender: contact }));
  const authorAddress = isOurs ? null : (message.mail?.author ?? null);
  const at = { id, workspaceId, conversationId, authorAddress, now };
  const rows = await messageRows(tx, message, { ...at, authorName, attachmentsCount });
  if (isNew && message.offer) rows.push(offerRow(message.offer, at));
  rows.push(...(await fileRows(tx, { workspaceId, messageId: id, files, now })));
  const received = changeOf({
    columns: isNew ? {} : { lastMessageAt: now },
    rows,
    entries: message.entries ?? [],
  });
  const mayAnswer = mayAgentAnswer(conversation);
  const details = { message: messageRecord({ id, content, createdAt: now, attachmentsCount }) };
  const consequences = changeOf({
    columns: isNew ? {} : { lastInboundAt: now },
    events: [{ key: 'message.received', subjectId: id, details }],
    // `runStartFlows` runs those of the first message.
    flowCauses: isNew ? [] : [{ kind: 'message_received', messageId: id }],
    notifications:
      record.assignee && !isTest
        ? [
            {
              userId: record.assignee.id,
              kind: 'contact_wrote',
              data: { messageId: id, ...(authorName === null ? {} : { authorName }) },
            },
          ]
        : [],
    // The AI agent would answer the contact, not this person. Everyone in a Slack thread reads the answer.
    jobs: [
      ...(authorName !== null && (authorAddress !== null || isMerged) ? [] : followUps(conversation, id)),
      // Of a conversation that the AI agent answered before, nobody was notified.
      ...((isNew || mayAnswer) && !isTest
        ? [newConversationJob(workspaceId, { mayAgentAnswer: mayAnswer, now })]
        : []),
    ],
  });
  const isFromContact = authorAddress !== null && authorName === null;
  const answered = changeReplyTo(conversation, { mail: message.mail, isNew, isFromContact });
  const changes = isQuiet(message) ? [change, received] : [change, received, consequences, answered];
  await persistChange(tx, conversation, { actor, change: joinChanges(changes), now, isInserted: isNew });
  return { messageId: id, conversationId, contactId };
}

/** Returns the statements that insert a message and its Message-ID. */
async function messageRows(
  tx: SqlDb,
  message: IncomingMessage,
  row: {
    id: string;
    workspaceId: string;
    conversationId: string;
    authorName: string | null;
    authorAddress: string | null;
    attachmentsCount: number;
    now: Date;
  },
): Promise<Prisma.Sql[]> {
  const { id, workspaceId, conversationId, authorName, authorAddress, attachmentsCount, now } = row;
  const { automatic = false, content, externalId, context = null, parts = [], mail = NO_MAIL } = message;
  const {
    messageIdHeader,
    senderVerified,
    forbidsAnswers = false,
    replyTo = [],
    to,
    cc,
    html,
    invitation = null,
    fullContent,
    threadReason = null,
    senderChecks = null,
  } = mail;
  const originalFileId = await retainOriginal(tx, { workspaceId, id: mail.originalFileId });
  const full = fullContent === null ? null : truncateText(fullContent, FULL_CONTENT_MAX_LENGTH);
  const insert = Prisma.sql`
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, author_name, author_address, automatic, content,
      attachments_count, external_id, sender_verified, sender_checks, thread_reason, forbids_answers, reply_to, mail_to, cc, html, invitation, context, full_content, trimmed, original_file_id,
      created_at)
    values (${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, 'inbound', 'contact', ${authorName}::text, ${authorAddress}::text,
      ${automatic}::boolean, ${content}::text, ${attachmentsCount}::int, ${externalId}::text,
      ${senderVerified}::boolean, ${senderChecks && JSON.stringify(senderChecks)}::jsonb, ${threadReason}::text, ${forbidsAnswers}::boolean, ${replyTo}::text[], ${storedRecipients(to)}::text[], ${storedRecipients(cc)}::text[], ${html}::text,
      ${invitation && JSON.stringify(invitation)}::jsonb, ${context && JSON.stringify(context)}::jsonb, ${full}::text, ${full !== null}::boolean, ${originalFileId}::uuid, ${now}::timestamptz)`;
  if (parts.length > 0) return [insert, insertParts(parts, { workspaceId, messageId: id })];
  if (messageIdHeader === null) return [insert];
  const reference = Prisma.sql`
    insert into mail_references (workspace_id, message_id_header, message_id, conversation_id)
    values (${workspaceId}::uuid, ${messageIdHeader}::text, ${id}::uuid, ${conversationId}::uuid)`;
  return [insert, reference];
}

function offerRow(
  { kind, email, firstName, lastName }: NewOffer,
  { workspaceId, conversationId, now }: { workspaceId: string; conversationId: string; now: Date },
): Prisma.Sql {
  return Prisma.sql`
    insert into contact_offers (conversation_id, workspace_id, kind, email, first_name, last_name, created_at)
    values (${conversationId}::uuid, ${workspaceId}::uuid, ${kind}::offer_kind, ${email}::text, ${firstName}::text, ${lastName}::text,
      ${now}::timestamptz)`;
}

const NO_MAIL: ReceivedMail = {
  messageIdHeader: null,
  senderVerified: null,
  to: [],
  cc: [],
  html: null,
  fullContent: null,
  originalFileId: null,
};

/** Removes the expiry of the raw email. Returns its id, or null if the file does not exist. */
async function retainOriginal(
  tx: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string | null },
): Promise<string | null> {
  if (id === null) return null;
  const stored = await tx.$executeRaw`
    update stored_files set expires_at = null
    where id = ${id}::uuid and workspace_id = ${workspaceId}::uuid and size_bytes is not null`;
  return stored === 1 ? id : null;
}

function storedRecipients(addresses: string[]): string[] {
  return [...new Set(addresses)].slice(0, RECIPIENTS_STORED_MAX);
}

/**
 * Returns the job that makes the AI agent answer. In a test, `testAgent` calls the agent directly, and the job removes the
 * conversation later.
 */
function followUps(conversation: LockedConversation, messageId: string): Prisma.Sql[] {
  const { id: conversationId, isTest } = conversation;
  if (isTest) {
    const options = { inSeconds: TEST_LIFETIME_SECONDS, key: `remove-test:${conversationId}` };
    return [jobRow('remove-test-conversation', { conversationId }, options)];
  }
  return mayAgentAnswer(conversation) ? [jobRow('answer-contact', { messageId })] : [];
}

function mayAgentAnswer({ aiAgentEnabled, aiAgentSilenced }: LockedConversation): boolean {
  return aiAgentEnabled && !aiAgentSilenced;
}

/** The Prisma selection that `messageRecord` needs. */
export const messageSelect = {
  id: true,
  content: true,
  createdAt: true,
  attachmentsCount: true,
} satisfies Prisma.MessageSelect;

type SelectedMessage = Prisma.MessageGetPayload<{ select: typeof messageSelect }>;

/** Serializes a message, for events and samples. One with files only says how many (docs/rulings.md 3.39). */
export function messageRecord({ id, content, createdAt, attachmentsCount }: SelectedMessage): MessageRecord {
  const files = attachmentsCount === 1 ? '[1 file]' : `[${attachmentsCount} files]`;
  return {
    id,
    content: content === '' && attachmentsCount > 0 ? files : content,
    created_at: timestamp(createdAt),
    attachments_count: attachmentsCount,
  };
}
