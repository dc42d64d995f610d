import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import type { SampledEvent } from '#server/contract/record-events.ts';
import type { ContactRecord, ConversationRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationColumns,
  conversationRecord,
} from '#server/inbox/conversations/conversation-record.ts';

/**
 * Returns the newest occurrences of an event with rows in `samples`, one per conversation. Takes two round
 * trips: the rows with their conversations, then their subjects.
 * @param filter value in `samples`; null or omitted for all
 * @param find finds the taggings, ratings, messages or command runs with these ids, in any order
 */
export async function newestOccurrences<Subject extends { id: string }, Payload>(query: {
  workspaceId: string;
  event: SampledEvent;
  filter?: string | null;
  find: (which: { workspaceId: string; id: { in: string[] } }) => Promise<Subject[]>;
  payload: (conversation: ConversationRecord, subject: Subject) => Payload;
}): Promise<Occurrence<Payload>[]> {
  const { workspaceId, event, find, payload } = query;
  // Merged, test and removed conversations have no rows; the conditions hide a row that was left behind.
  const rows = await sql().$queryRaw<(ConversationColumns & { subjectId: string; occurredAt: Date })[]>`
    select s.subject_id as "subjectId", s.occurred_at as "occurredAt", ${CONVERSATION_COLUMNS}
    from samples s join conversations c on c.id = s.conversation_id ${CONVERSATION_JOINS}
    where s.workspace_id = ${workspaceId}::uuid and s.event = ${event}::text and s.filter = ${query.filter ?? ''}::text
      and ${IS_SAMPLED}
    order by s.occurred_at desc, s.conversation_id desc limit ${SAMPLES_MAX}::int`;
  if (rows.length === 0) return [];
  const subjects = await find({ workspaceId, id: { in: rows.map(({ subjectId }) => subjectId) } });
  const byId = new Map(subjects.map((subject) => [subject.id, subject]));
  return rows.flatMap((row) => {
    const subject = byId.get(row.subjectId);
    // The subject was deleted with its conversation between the two reads.
    if (!subject) return [];
    return [{ occurredAt: row.occurredAt, payload: payload(conversationRecord(row), subject) }];
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
export async function newestConversations<Payload>(query: {
  workspaceId: string;
  by: 'created_at' | 'status_changed_at' | 'assigned_at';
  status?: ConversationStatus | null;
  payload: (conversation: ConversationRecord) => Payload;
}): Promise<Occurrence<Payload>[]> {
  const { workspaceId, by, status, payload } = query;
  const at = Prisma.raw(`c.${by}`);
  const inStatus = status ? Prisma.sql`and c.status = ${status}::conversation_status` : Prisma.empty;
  const rows = await sql().$queryRaw<(ConversationColumns & { occurredAt: Date })[]>`
    select ${at} as "occurredAt", ${CONVERSATION_COLUMNS}
    from (
      select c.* from conversations c
      where c.workspace_id = ${workspaceId}::uuid and ${IS_SAMPLED} and ${at} is not null ${inStatus}
      order by ${at} desc, c.id desc limit ${SAMPLES_MAX}::int
    ) c ${CONVERSATION_JOINS}
    order by ${at} desc, c.id desc`;
  return rows.map((row) => ({ occurredAt: row.occurredAt, payload: payload(conversationRecord(row)) }));
}

const IS_SAMPLED = Prisma.sql`c.merged_into_id is null and not c.is_test and c.removal is null`;

/** Maximum samples of an event (docs/spec.md §8). */
export const SAMPLES_MAX = 3;

/** An occurrence of an event, with its payload in the current state. */
export type Occurrence<Payload> = { occurredAt: Date; payload: Payload };
