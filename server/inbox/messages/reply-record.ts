import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';

/** Serializes a reply for the API. `send_status` is null while the message is queued or being sent. */
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
