import { type Occurrence, SAMPLES_MAX } from '#server/automation/samples/occurrence.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/db.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { conversationRecord, conversationSelect } from '#server/inbox/conversations/conversation-record.ts';

/**
 * The conversations to which something that they keep the time of happened last. Each order, and the one within a
 * status, has its own partial index over what samples may show, so this reads three entries of it, however many
 * conversations there are: the conditions below are the indexes' own. One round trip.
 */
export async function newestConversations<Payload>(given: {
  workspaceId: string;
  by: 'createdAt' | 'statusChangedAt' | 'assignedAt';
  status?: ConversationStatus | null;
  payload: (conversation: ConversationRecord) => Payload;
}): Promise<Occurrence<Payload>[]> {
  const { workspaceId, by, status, payload } = given;
  const rows = await db().conversation.findMany({
    where: {
      workspaceId,
      mergedIntoId: null,
      isTest: false,
      ...(by === 'assignedAt' && { assignedAt: { not: null } }),
      ...(status && { status }),
    },
    orderBy: [{ [by]: 'desc' }, { id: 'desc' }],
    take: SAMPLES_MAX,
    select: { ...conversationSelect, statusChangedAt: true, assignedAt: true },
    relationLoadStrategy: 'join',
  });
  return rows.flatMap((row) => {
    const occurredAt = row[by];
    return occurredAt ? [{ occurredAt, payload: payload(conversationRecord(row)) }] : [];
  });
}
