import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import type { SavedMessage } from '#server/inbox/messages/outgoing-message.ts';

/** Serializes a reply for the API. `send_status` is null while the message is queued or being sent. */
export function replyRecord(message: SavedMessage & { deliveryError?: string | null }): ReplyRecord {
  const { sendStatus } = message;
  return {
    id: message.id,
    conversation_id: message.conversationId,
    content: message.content,
    created_at: timestamp(message.createdAt),
    send_status: sendStatus === 'queued' || sendStatus === 'sending' ? null : sendStatus,
    delivery_error: message.deliveryError ?? null,
    url: conversationUrl(message.conversationId),
  };
}
