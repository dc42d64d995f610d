import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/db.ts';
import { calledAs, otherConversationSelect } from '#server/screens/inbox/name-conversations.ts';
import type { MergeChoice } from '#server/screens/inbox/views.ts';

/** How many conversations of the same contact are offered. */
const CHOICES_MAX = 20;

/**
 * The other conversations of a conversation's contact, newest first: those that it may belong to. Merged ones and
 * tests are left out; none when there is no such conversation, or it has no contact. Two round trips.
 */
export async function listMergeChoices(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<MergeChoice[]> {
  if (!isUuid(id)) return [];
  const where = { workspaceId_id: { workspaceId, id } };
  const conversation = await db.conversation.findUnique({ where, select: { contactId: true } });
  if (!conversation?.contactId) return [];
  const found = await db.conversation.findMany({
    where: {
      workspaceId,
      contactId: conversation.contactId,
      id: { not: id },
      mergedIntoId: null,
      isTest: false,
    },
    select: {
      ...otherConversationSelect,
      status: true,
      channel: true,
      contactClaimed: true,
      lastMessageAt: true,
    },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    take: CHOICES_MAX,
    relationLoadStrategy: 'join',
  });
  return found.map(({ contact, ...row }) => ({ ...row, contactName: calledAs(contact) }));
}
