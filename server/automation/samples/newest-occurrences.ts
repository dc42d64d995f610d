import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import type { SampledEvent } from '#server/contract/record-events.ts';
import type { ContactRecord, ConversationRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
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

/** The contacts created last, without those from testing the AI agent: the index `contacts_by_creation`. */
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

/** At most so many samples of an event (spec.md §8). */
export const SAMPLES_MAX = 3;

/** Something that happened in a workspace, as the payload of its event would show it today. */
export type Occurrence<Payload> = { occurredAt: Date; payload: Payload };
