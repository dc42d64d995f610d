import type { Prisma } from '#server/generated/prisma/client.ts';
import { timestamp } from '#server/timestamp.ts';

/** A Message of a contact in the shape of the contract (spec.md §2), in events and samples alike. */
export type MessageRecord = { id: string; content: string; created_at: string; attachments_count: number };

/** What a query must select for `messageRecord`. */
export const messageSelect = {
  id: true,
  content: true,
  createdAt: true,
  attachmentsCount: true,
} satisfies Prisma.MessageSelect;

export type SelectedMessage = Prisma.MessageGetPayload<{ select: typeof messageSelect }>;

/** The one serializer of messages. */
export function messageRecord(message: SelectedMessage): MessageRecord {
  return {
    id: message.id,
    content: message.content,
    created_at: timestamp(message.createdAt),
    attachments_count: message.attachmentsCount,
  };
}
