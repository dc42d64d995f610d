import { conversationUrl } from '#server/conversations/conversation-record.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';
import { timestamp } from '#server/timestamp.ts';

/** A reply in the shape of the contract (spec.md §2). */
export type ReplyRecord = {
  id: string;
  conversation_id: string;
  content: string;
  created_at: string;
  send_status: 'sent' | 'failed' | 'held_for_paywall' | null;
  delivery_error: string | null;
  url: string;
};

/** The one serializer of replies. While a message is on its way there is nothing to report of it. */
export function replyRecord(message: {
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
