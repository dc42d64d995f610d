import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/prisma.ts';
import { NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import { visibleById } from '#server/inbox/conversations/visible-conversations.ts';
import { calledAs, otherConversationSelect } from '#server/screens/inbox/name-conversations.ts';
import type { MergeChoice } from '#server/screens/inbox/views.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

/** Maximum number of conversations to choose from. */
const CHOICES_MAX = 20;

/**
 * Returns the other conversations of the same contact that the teammate sees as merge targets, newest first, without merged ones
 * and tests. Empty when there is no such conversation or it has no contact. Two round trips.
 */
export async function listMergeChoices(
  db: Db,
  {
    workspace: { id: workspaceId, visibility },
    id,
  }: { workspace: Pick<MemberWorkspace, 'id' | 'visibility'>; id: string },
): Promise<MergeChoice[]> {
  if (!isUuid(id)) return [];
  const where = { workspaceId_id: { workspaceId, id }, ...NOT_DELETED };
  const conversation = await db.conversation.findUnique({ where, select: { contactId: true } });
  if (!conversation?.contactId) return [];
  const found = await db.conversation.findMany({
    where: {
      workspaceId,
      contactId: conversation.contactId,
      id: { not: id },
      mergedIntoId: null,
      isTest: false,
      removal: null,
      ...visibleById(visibility),
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
  return found.map(({ contact, contactClaimed, ...row }) => ({
    ...row,
    contactName: calledAs(contact),
    contactClaimed: contactClaimed && !contact?.email,
  }));
}
