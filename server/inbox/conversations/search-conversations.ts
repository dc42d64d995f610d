import { validate as isUuid } from 'uuid';
import type { ConversationRecord } from '#server/contract/records/record-schemas.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import type { Db } from '#server/ground/db.ts';
import { conversationRecord, conversationSelect } from '#server/inbox/conversations/conversation-record.ts';

/** How many conversations a search returns at most (spec.md §8). */
const CONVERSATION_SEARCH_MAX = 10;

/** The conversation of an id, or none: merged ones and those from testing the AI agent are never found. */
export async function findConversation(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ConversationRecord[]> {
  if (!isUuid(id)) return [];
  const found = await db.conversation.findUnique({
    where: { workspaceId_id: { workspaceId, id }, mergedIntoId: null, isTest: false },
    select: conversationSelect,
    relationLoadStrategy: 'join',
  });
  return found ? [conversationRecord(found)] : [];
}

/**
 * The newest conversations of the contact with an e-mail address, ten at most, in one status if one is given;
 * merged ones and those from testing the AI agent are left out. One round trip: from the contact by its address to its conversations by their index.
 * @param email lowercase
 */
export async function findConversationsOf(
  db: Db,
  {
    workspaceId,
    email,
    status,
  }: { workspaceId: string; email: string; status?: ConversationStatus | undefined },
): Promise<ConversationRecord[]> {
  const contact = await db.contact.findUnique({
    where: { workspaceId_email: { workspaceId, email } },
    select: {
      conversations: {
        where: { mergedIntoId: null, isTest: false, ...(status ? { status } : {}) },
        select: conversationSelect,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: CONVERSATION_SEARCH_MAX,
      },
    },
    relationLoadStrategy: 'join',
  });
  return contact?.conversations.map(conversationRecord) ?? [];
}
