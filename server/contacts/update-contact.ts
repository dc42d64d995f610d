import { validate as isUuid } from 'uuid';
import { type ContactFields, contactFieldColumns } from '#server/contacts/contact-fields.ts';
import {
  type ContactRecord,
  contactRecord,
  contactSelect,
  type SelectedContact,
} from '#server/contacts/contact-record.ts';
import { duplicateEmail } from '#server/contacts/duplicate-email.ts';
import { linkCompany } from '#server/contacts/link-company.ts';
import { db, inTransaction } from '#server/db.ts';
import { notFound } from '#server/errors.ts';
import { isDuplicate } from '#server/is-duplicate.ts';

/**
 * Changes the fields sent of a contact and leaves the others alone, so that two updates at once of different
 * fields both last; with nothing sent nothing changes (spec.md §4.2, PATCH /contacts/{id}). A new address links
 * a contact without a company to one. Emits nothing.
 * @throws Refusal when the workspace has no such contact, or another one has the e-mail address
 */
export async function updateContact({
  workspaceId,
  id,
  fields,
}: {
  workspaceId: string;
  /** Any text; what is no UUID is no contact either. */
  id: string;
  fields: ContactFields;
}): Promise<ContactRecord> {
  if (!isUuid(id)) throw notFound('The contact');
  const columns = contactFieldColumns(fields);
  // An update without columns that also shows a relation is a fault in Prisma, and nothing is to be written anyway.
  const contact =
    Object.keys(columns).length === 0
      ? await db().contact.findUnique({ where: { workspaceId_id: { workspaceId, id } }, ...SHOWN })
      : await write({ workspaceId, id, email: fields.email, columns });
  if (!contact) throw notFound('The contact');
  return contactRecord(contact);
}

const SHOWN = { select: contactSelect, relationLoadStrategy: 'join' } as const;

async function write({
  workspaceId,
  id,
  email,
  columns,
}: {
  workspaceId: string;
  id: string;
  email: string | undefined;
  columns: ReturnType<typeof contactFieldColumns>;
}): Promise<SelectedContact | undefined> {
  try {
    const [contact] = await inTransaction(async (tx) => {
      if (email !== undefined) await linkCompany(tx, { workspaceId, id, email });
      return tx.contact.updateManyAndReturn({
        where: { workspaceId, id },
        data: columns,
        select: contactSelect,
      });
    });
    return contact;
  } catch (error) {
    // The transaction is gone with the unique index's refusal; the contact that has the address is there to read. An
    // address is all of a contact that must be unique.
    if (email !== undefined && isDuplicate(error)) throw await duplicateEmail(db(), { workspaceId, email });
    throw error;
  }
}
