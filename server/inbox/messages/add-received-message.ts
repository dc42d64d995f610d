import type { MessageRecord } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { cleanName, truncateText } from '#server/core/text.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { writeChange } from '#server/inbox/conversations/apply-change.ts';
import { type Change, changeOf, joinChanges } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import {
  type IncomingMessage,
  isQuiet,
  type Received,
  type ReceivedMail,
} from '#server/inbox/messages/incoming-message.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** How much of a mail that was trimmed is kept in whole, in characters; its original has the rest. */
const FULL_CONTENT_MAX_LENGTH = 200_000;
/** How many addresses of each of To and Cc are kept; the original of the mail has the rest. */
const RECIPIENTS_KEPT_MAX = 50;

/** How long a conversation from testing the AI agent is kept, in seconds. */
const TEST_KEPT_SECONDS = 86_400;

/** Adds the message, and writes with it what it did to the conversation. */
export async function addReceivedMessage(
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

/** In a thread of several people only its contact needs no name beside what they wrote. */
function authorNameOf({ identity, contact }: IncomingMessage, contactId: string | null): string | null {
  return identity && 'id' in contact && contact.id !== contactId
    ? cleanName(identity.name ?? '') || null
    : null;
}

/** What a query must select for `messageRecord`. */
export const messageSelect = {
  id: true,
  content: true,
  createdAt: true,
  attachmentsCount: true,
} satisfies Prisma.MessageSelect;

type SelectedMessage = Prisma.MessageGetPayload<{ select: typeof messageSelect }>;

/** The one serializer of messages. */
export function messageRecord(message: SelectedMessage): MessageRecord {
  return {
    id: message.id,
    content: message.content,
    created_at: timestamp(message.createdAt),
    attachments_count: message.attachmentsCount,
  };
}
