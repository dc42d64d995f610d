import { recordEvents } from '#server/contract/events/record-events.ts';
import type { ContactRecord } from '#server/contract/records/record-schemas.ts';
import { inTransaction } from '#server/ground/db.ts';
import { type CompanyChoice, chooseCompany } from '#server/people/contacts/choose-company.ts';
import type { ContactFields } from '#server/people/contacts/contact-fields.ts';
import { duplicateEmail } from '#server/people/contacts/duplicate-email.ts';
import { insertContact } from '#server/people/contacts/insert-contact.ts';

/**
 * Creates a contact, linked to a company when its e-mail domain belongs to one of the workspace's (spec.md §4.2,
 * POST /contacts) and no other was chosen. Emits `contact.created`.
 * @param fields with a name, an e-mail address or a phone number at least
 * @param company undefined: the one that the e-mail address leads to, if any
 * @throws Refusal when another contact has the e-mail address, or the workspace has no such company
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
