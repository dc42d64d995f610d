import { type CompanyChoice, chooseCompany } from '#server/contacts/choose-company.ts';
import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { duplicateEmail } from '#server/contacts/duplicate-email.ts';
import { insertContact } from '#server/contacts/insert-contact.ts';
import { planEvents } from '#server/contract/record-events.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { Planned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { type Actor, causeOf } from '#server/teammates/actor.ts';

/**
 * Creates a contact and emits `contact.created`. Unless a company is chosen, links the company with the
 * contact's email domain (docs/spec.md §4.2, POST /contacts).
 * @param fields at least a name, an email address or a phone number
 * @param company undefined: the company of the email domain, if any
 * @throws Refusal when another contact has the email address, or the workspace has no such company
 */
export async function createContact(
  tx: SqlDb,
  newContact: {
    workspaceId: string;
    actor: Actor;
    fields: ContactFields;
    company?: CompanyChoice | undefined;
  },
): Promise<Planned<ContactRecord>> {
  const { workspaceId, actor, fields, company: choice } = newContact;
  const now = new Date();
  const company = await chooseCompany(tx, { workspaceId, choice });
  const inserted = await insertContact(tx, { workspaceId, fields, company, now });
  if (inserted.kind === 'email_taken') {
    throw await duplicateEmail(tx, { workspaceId, email: inserted.email });
  }
  const { contact } = inserted;
  return planEvents(
    { workspaceId, events: [{ key: 'contact.created', payload: { contact } }], cause: causeOf(actor), now },
    contact,
  );
}
