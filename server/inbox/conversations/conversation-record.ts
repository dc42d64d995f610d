import type { ConversationRecord } from '#server/contract/records/record-schemas.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Db } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';
import { timestamp, timestampOrNull } from '#server/ground/timestamp.ts';
import { unlessDeleted } from '#server/ground/unless-deleted.ts';
import { contactRecord, contactSelect } from '#server/people/contacts/contact-record.ts';

/** What a query must select for `conversationRecord`. */
export const conversationSelect = {
  id: true,
  subject: true,
  status: true,
  priority: true,
  channel: true,
  createdAt: true,
  updatedAt: true,
  resolvedAt: true,
  tags: { select: { name: true }, orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { key: 'asc' }] },
  assignee: { select: { user: { select: { id: true, name: true, email: true } } } },
  team: { select: { id: true, name: true, deletedAt: true } },
  contact: { select: contactSelect },
} satisfies Prisma.ConversationSelect;

export type SelectedConversation = Prisma.ConversationGetPayload<{ select: typeof conversationSelect }>;

/** The one serializer of conversations. */
export function conversationRecord(conversation: SelectedConversation): ConversationRecord {
  const { assignee, team, contact } = conversation;
  return {
    id: conversation.id,
    subject: conversation.subject,
    status: conversation.status,
    priority: conversation.priority,
    channel: conversation.channel,
    tags: conversation.tags.map((tag) => tag.name),
    assignee: assignee && { id: assignee.user.id, name: assignee.user.name, email: assignee.user.email },
    team: unlessDeleted(team),
    contact: contact && contactRecord(contact),
    created_at: timestamp(conversation.createdAt),
    updated_at: timestamp(conversation.updatedAt),
    resolved_at: timestampOrNull(conversation.resolvedAt),
    url: conversationUrl(conversation.id),
  };
}

/** The conversation in the inbox (spec.md §2). */
export function conversationUrl(id: string): string {
  return `${settings().BASE_URL}/inbox?selected=${id}`;
}

/** One conversation that is known to be there, as its record; one round trip. */
export async function getConversationRecord(
  db: Db,
  { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
): Promise<ConversationRecord> {
  const row = await db.conversation.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: conversationId } },
    select: conversationSelect,
    relationLoadStrategy: 'join',
  });
  return conversationRecord(row);
}
