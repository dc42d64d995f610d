import { findMergedInto } from '#server/contacts/contact-alias.ts';
import { phoneDigits } from '#server/contacts/contact-fields.ts';
import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** Maximum number of results (docs/spec.md §8). */
const RESULTS_MAX = 10;

/**
 * Finds contacts by email address, phone number or both, newest first; returns none without either
 * (docs/spec.md §4.2, GET /contacts/search). An address of a merged contact finds the contact that remains.
 * Excludes test contacts. One round trip, or two if no contact has the address.
 * @param email lowercase; null is an invalid address, which matches nothing
 * @param phone in any format: only its digits count, and without digits it matches nothing
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
  const byPhone = digits === undefined ? {} : { phoneDigits: digits };
  const found = await find(db, { workspaceId, ...byPhone, ...(email === undefined ? {} : { email }) });
  if (found.length > 0 || email === undefined) return found;
  const identity = { workspaceId, channel: 'email' as const, scope: '', externalId: email };
  return find(db, { workspaceId, ...byPhone, identities: { some: identity } });
}

async function find(db: Db, where: Prisma.ContactWhereInput): Promise<ContactRecord[]> {
  const contacts = await db.contact.findMany({
    where: { ...where, isTest: false },
    select: contactSelect,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: RESULTS_MAX,
    relationLoadStrategy: 'join',
  });
  return contacts.map(contactRecord);
}

/** Returns whether the contact exists for the platform, which cannot see test contacts. */
export async function contactExists(which: { workspaceId: string; id: string }): Promise<boolean> {
  const where = { workspaceId_id: which, isTest: false };
  const contact = await db().contact.findUnique({ where, select: { id: true } });
  return contact !== null || (await findMergedInto(db(), which)) !== null;
}
