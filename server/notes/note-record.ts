import { conversationUrl } from '#server/conversations/conversation-record.ts';
import { timestamp } from '#server/timestamp.ts';

/** An internal note in the shape of the contract (spec.md §2). */
export type NoteRecord = {
  id: string;
  conversation_id: string;
  content: string;
  created_at: string;
  url: string;
};

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
