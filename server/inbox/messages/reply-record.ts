import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';

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
