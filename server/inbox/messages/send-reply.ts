import type { ReplyRecord, Teammate } from '#server/contract/record-schemas.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';
import type { SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { fillTemplate, listTemplates } from '#server/inbox/channels/whatsapp/templates.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import type { SavedMessage } from '#server/inbox/messages/outgoing-message.ts';
import { type NewReply, saveReply } from '#server/inbox/messages/save-reply.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';

/**
 * Replies to a contact on the conversation's own channel, at once: saved and committed first, then sent, ten seconds at
 * most. Takes an unassigned conversation when the workspace assigns on reply (then emits `conversation.assigned`), ends
 * the wait for a first response once it was sent, and keeps the AI agent out from now on. The status stays (spec.md
 * §4.2, POST replies; decisions: conversations and contacts, 8 and 9).
 * @throws Refusal when the author may not reply any more, there is no such conversation or it was merged
 */
export async function sendReply(given: NewReply): Promise<ReplyRecord> {
  const saved = await sqlTransaction((tx) => saveReply(tx, { ...given, sends: 'caller' }));
  const outcome =
    saved.sendStatus === 'sending' ? await sendMessage(saved.id, { notifies: false }) : undefined;
  return replyRecord({ ...saved, ...reported(saved, outcome) });
}

/** What the response says of the sending: what the channel said, else the message's own state. */
function reported({ sendStatus }: SavedMessage, outcome: SendOutcome | undefined) {
  if (!outcome) return { sendStatus, deliveryError: null };
  if (outcome.status === 'deferred') return { sendStatus: null, deliveryError: null };
  if (outcome.status === 'failed') return { sendStatus: 'failed' as const, deliveryError: outcome.reason };
  return { sendStatus: outcome.status === 'sent' ? ('sent' as const) : null, deliveryError: null };
}

/**
 * Replies to a contact on WhatsApp with an approved template, which also reaches them when their window is closed.
 * @param given.values by the text between the braces of its places
 * @throws Refusal as `listTemplates` and `sendReply` do, and for a value that is missing or too long
 */
export async function sendTemplate(given: {
  workspaceId: string;
  conversationId: string;
  by: Teammate;
  name: string;
  language: string;
  values: Record<string, string>;
}): Promise<ReplyRecord> {
  const { workspaceId, conversationId, by } = given;
  const templates = await listTemplates({ workspaceId, conversationId });
  return sendReply({
    workspaceId,
    id: conversationId,
    actor: { kind: 'teammate', teammate: by },
    ...fillTemplate(templates, given),
  });
}

/** The one serializer of replies. While a message is on its way there is nothing to report of it. */
function replyRecord(message: {
  id: string;
  conversationId: string;
  content: string;
  createdAt: Date;
  sendStatus: SendStatus | null;
  deliveryError: string | null;
}): ReplyRecord {
  const { sendStatus } = message;
  return {
    id: message.id,
    conversation_id: message.conversationId,
    content: message.content,
    created_at: timestamp(message.createdAt),
    send_status: sendStatus === 'queued' || sendStatus === 'sending' ? null : sendStatus,
    delivery_error: message.deliveryError,
    url: conversationUrl(message.conversationId),
  };
}
