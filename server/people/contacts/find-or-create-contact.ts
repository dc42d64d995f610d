import type { ContactRecord } from '#server/contract/records/record-schemas.ts';
import type { Tx } from '#server/ground/db.ts';
import type { ContactFields } from '#server/people/contacts/contact-fields.ts';
import { contactRecord, contactSelect } from '#server/people/contacts/contact-record.ts';
import { insertContact } from '#server/people/contacts/insert-contact.ts';

/**
 * The contact with an e-mail address, created when the address is new. Two calls at once make one contact: the
 * loser finds the winner's. Who creates one also records `contact.created`.
 * @param fields of someone new; an existing contact keeps its own
 */
export async function findOrCreateContact(
  tx: Tx,
  { workspaceId, fields, now }: { workspaceId: string; fields: ContactFields & { email: string }; now: Date },
): Promise<{ contact: ContactRecord; created: boolean }> {
  const find = {
    where: { workspaceId_email: { workspaceId, email: fields.email } },
    select: contactSelect,
    relationLoadStrategy: 'join',
  } as const;
  const existing = await tx.contact.findUnique(find);
  if (existing) return { contact: contactRecord(existing), created: false };

  const inserted = await insertContact(tx, { workspaceId, fields, now });
  if (inserted.kind === 'inserted') return { contact: inserted.contact, created: true };
  return { contact: contactRecord(await tx.contact.findUniqueOrThrow(find)), created: false };
}
