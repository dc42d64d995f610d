import type { ContactFields } from '#server/contacts/contact-fields.ts';
import type { ContactRecord } from '#server/contacts/contact-record.ts';
import { duplicateEmail } from '#server/contacts/duplicate-email.ts';
import { insertContact } from '#server/contacts/insert-contact.ts';
import { inTransaction } from '#server/db.ts';
import { recordEvents } from '#server/events/record-events.ts';

/**
 * Creates a contact, linked to a company when its e-mail domain belongs to one of the workspace's (spec.md §4.2,
 * POST /contacts). Emits `contact.created`.
 * @param fields with a name, an e-mail address or a phone number at least
 * @throws Refusal when another contact has the e-mail address
 */
export async function createContact({
  workspaceId,
  fields,
}: {
  workspaceId: string;
  fields: ContactFields;
}): Promise<ContactRecord> {
  return inTransaction(async (tx) => {
    const now = new Date();
    const inserted = await insertContact(tx, { workspaceId, fields, now });
    if (inserted.kind === 'email_taken') {
      throw await duplicateEmail(tx, { workspaceId, email: inserted.email });
    }
    const { contact } = inserted;
    await recordEvents(tx, { workspaceId, events: [{ key: 'contact.created', payload: { contact } }], now });
    return contact;
  });
}
