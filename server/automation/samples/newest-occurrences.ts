import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import type { SampledEvent } from '#server/contract/record-events.ts';
import type { ContactRecord, ConversationRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { conversationRecord, conversationSelect } from '#server/inbox/conversations/conversation-record.ts';

/**
 * Returns the newest occurrences of an event with rows in `samples`, one per conversation. Takes two round
 * trips: the rows with their conversations, then their subjects.
 * @param filter value in `samples`; null or omitted for all
 * @param find finds the taggings, ratings, messages or command runs with these ids, in any order
 */
export async function newestOccurrences<Subject extends { id: string }, Payload>(given: {
  workspaceId: string;
  event: SampledEvent;
  filter?: string | null;
  find: (which: { workspaceId: string; id: { in: string[] } }) => Promise<Subject[]>;
  payload: (conversation: ConversationRecord, subject: Subject) => Payload;
}): Promise<Occurrence<Payload>[]> {
  const { workspaceId, event, find, payload } = given;
  const rows = await db().sample.findMany({
    // Merged, test and removed conversations have no rows; the conditions hide a row that was left behind.
    where: {
      workspaceId,
      event,
      filter: given.filter ?? '',
      conversation: { mergedIntoId: null, isTest: false, removal: null },
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
    // The subject was deleted with its conversation between the two reads.
    if (!subject) return [];
    return [{ occurredAt, payload: payload(conversationRecord(conversation), subject) }];
  });
}

/**
 * Returns the newest contacts, except those from testing the AI agent. Uses the index `contacts_by_creation`.
 */
export async function newestContacts(workspaceId: string): Promise<Occurrence<{ contact: ContactRecord }>[]> {
  const rows = await db().contact.findMany({
    where: { workspaceId, isTest: false },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: SAMPLES_MAX,
    select: contactSelect,
    relationLoadStrategy: 'join',
  });
  return rows.map((row) => ({ occurredAt: row.createdAt, payload: { contact: contactRecord(row) } }));
}

/**
 * Returns the conversations with the newest timestamp in the column `by`, in one round trip. Each order, and
 * the order within a status, has a partial index with exactly these conditions. So the query reads three
 * index entries, regardless of the number of conversations.
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
      removal: null,
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

/** Maximum samples of an event (docs/spec.md §8). */
export const SAMPLES_MAX = 3;

/** An occurrence of an event, with its payload in the current state. */
export type Occurrence<Payload> = { occurredAt: Date; payload: Payload };
