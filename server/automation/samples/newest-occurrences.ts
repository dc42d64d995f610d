import { type Occurrence, SAMPLES_MAX } from '#server/automation/samples/occurrence.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import type { SampledEvent } from '#server/contract/sample-rows.ts';
import { db } from '#server/core/database/db.ts';
import { conversationRecord, conversationSelect } from '#server/inbox/conversations/conversation-record.ts';

/**
 * What happened last in a workspace, once a conversation, of an event that has rows in `samples`: first the rows
 * with their conversations, then what they refer to. Two round trips, however many rows there are.
 * @param filter as in `samples`: null for all
 * @param find the taggings, ratings, messages or command runs of these ids, in any order
 */
export async function newestOccurrences<Subject extends { id: string }, Payload>(given: {
  workspaceId: string;
  event: SampledEvent;
  filter: string | null;
  find: (which: { workspaceId: string; id: { in: string[] } }) => Promise<Subject[]>;
  payload: (conversation: ConversationRecord, subject: Subject) => Payload;
}): Promise<Occurrence<Payload>[]> {
  const { workspaceId, event, find, payload } = given;
  const rows = await db().sample.findMany({
    // Conversations that were merged or are a test have no rows; should one be left behind, it is not shown.
    where: {
      workspaceId,
      event,
      filter: given.filter ?? '',
      conversation: { mergedIntoId: null, isTest: false },
    },
    orderBy: [{ occurredAt: 'desc' }, { conversationId: 'desc' }],
    take: SAMPLES_MAX,
    select: { subjectId: true, occurredAt: true, conversation: { select: conversationSelect } },
    relationLoadStrategy: 'join',
  });
  if (rows.length === 0) return [];
  const subjects = await find({ workspaceId, id: { in: rows.map(({ subjectId }) => subjectId) } });
  const byId = new Map(subjects.map((subject) => [subject.id, subject]));
  return rows.flatMap(({ subjectId, occurredAt, conversation }) => {
    const subject = byId.get(subjectId);
    // Deleted with its conversation between the two reads.
    if (!subject) return [];
    return [{ occurredAt, payload: payload(conversationRecord(conversation), subject) }];
  });
}
