import { type CompanyChoice, chooseCompany } from '#server/contacts/choose-company.ts';
import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { duplicateEmail } from '#server/contacts/duplicate-email.ts';
import { insertContact } from '#server/contacts/insert-contact.ts';
import { recordEvents } from '#server/contract/record-events.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/prisma.ts';

/**
 * Creates a contact, linked to a company when its email domain belongs to one of the workspace's (spec.md §4.2,
 * POST /contacts) and no other was chosen. Emits `contact.created`.
 * @param fields with a name, an email address or a phone number at least
 * @param company undefined: the one that the email address leads to, if any
 * @throws Refusal when another contact has the email address, or the workspace has no such company
 */
export async function createContact({
  workspaceId,
  fields,
  company: choice,
}: {
  workspaceId: string;
  fields: ContactFields;
  company?: CompanyChoice | undefined;
}): Promise<ContactRecord> {
  return inTransaction(async (tx) => {
    const now = new Date();
    const company = await chooseCompany(tx, { workspaceId, choice });
    const inserted = await insertContact(tx, { workspaceId, fields, company, now });
    if (inserted.kind === 'email_taken') {
      throw await duplicateEmail(tx, { workspaceId, email: inserted.email });
    }
    const { contact } = inserted;
    await recordEvents(tx, { workspaceId, events: [{ key: 'contact.created', payload: { contact } }], now });
    return contact;
  });
}
