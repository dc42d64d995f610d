import { type Occurrence, SAMPLES_MAX } from '#server/automation/samples/occurrence.ts';
import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/db.ts';

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
