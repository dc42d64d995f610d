import type { MessageRecord } from '#server/contract/record-schemas.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

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
