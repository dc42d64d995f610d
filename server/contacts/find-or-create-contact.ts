import { companyOfEmail } from '#server/contacts/company-of-email.ts';
import { type ContactRecord, contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import { splitName } from '#server/contacts/split-name.ts';
import type { Tx } from '#server/db.ts';

/**
 * The contact with an e-mail address, created when the address is new. Two calls at once make one contact:
 * the unique index decides, and the loser finds the winner's.
 * @param email lowercase
 * @param name given name of someone new; an existing contact keeps its own
 */
export async function findOrCreateContact(
  tx: Tx,
  { workspaceId, email, name }: { workspaceId: string; email: string; name: string | undefined },
): Promise<{ contact: ContactRecord; created: boolean }> {
  const where = { workspaceId_email: { workspaceId, email } };
  const existing = await tx.contact.findUnique({
    where,
    select: contactSelect,
    relationLoadStrategy: 'join',
  });
  if (existing) return { contact: contactRecord(existing), created: false };

  const companyId = await companyOfEmail(tx, { workspaceId, email });
  const { count } = await tx.contact.createMany({
    data: { workspaceId, email, companyId, ...(name ? splitName(name) : {}) },
    skipDuplicates: true,
  });
  const contact = await tx.contact.findUniqueOrThrow({
    where,
    select: contactSelect,
    relationLoadStrategy: 'join',
  });
  return { contact: contactRecord(contact), created: count === 1 };
}
