import type { NoteRecord } from '#server/contract/record-schemas.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';

/** The one serializer of notes. */
export function noteRecord(note: {
  id: string;
  conversationId: string;
  content: string;
  createdAt: Date;
}): NoteRecord {
  return {
    id: note.id,
    conversation_id: note.conversationId,
    content: note.content,
    created_at: timestamp(note.createdAt),
    url: conversationUrl(note.conversationId),
  };
}
