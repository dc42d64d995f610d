import { phoneDigits } from '#server/contacts/contact-fields.ts';
import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { type Db, db } from '#server/core/database/prisma.ts';

/** How many contacts a search finds at most (spec.md §8). */
const RESULTS_MAX = 10;

/**
 * The contacts with an email address, a phone number, or both when both are given, newest first; none without
 * either (spec.md §4.2, GET /contacts/search). Those made by testing the AI agent are left out. One round trip.
 * @param email lowercase; null is no address, which no one has
 * @param phone written in any way: only its digits count, and without any it finds no one
 */
export async function searchContacts(
  db: Db,
  {
    workspaceId,
    email,
    phone,
  }: { workspaceId: string; email: string | null | undefined; phone: string | undefined },
): Promise<ContactRecord[]> {
  const digits = phone === undefined ? undefined : phoneDigits(phone);
  if (email === null || digits === null) return [];
  if (email === undefined && digits === undefined) return [];
  const contacts = await db.contact.findMany({
    where: {
      workspaceId,
      isTest: false,
      ...(email === undefined ? {} : { email }),
      ...(digits === undefined ? {} : { phoneDigits: digits }),
    },
    select: contactSelect,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: RESULTS_MAX,
    relationLoadStrategy: 'join',
  });
  return contacts.map(contactRecord);
}

/** Whether the platform may know a contact of this id: one from testing the AI agent does not exist for it. */
export async function contactExists({
  workspaceId,
  id,
}: {
  workspaceId: string;
  /** A UUID. */
  id: string;
}): Promise<boolean> {
  const where = { workspaceId_id: { workspaceId, id }, isTest: false };
  return (await db().contact.findUnique({ where, select: { id: true } })) !== null;
}
