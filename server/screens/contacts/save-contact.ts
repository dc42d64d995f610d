import { isSomebody } from '#server/contacts/contact-fields.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { emailOwnerIn } from '#server/contacts/duplicate-email.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { invalid, refusalIn } from '#server/core/errors.ts';
import { parseContactForm, type TypedContact } from '#server/screens/contacts/parse-contact-form.ts';
import type { SavedContact } from '#server/screens/contacts/views.ts';

/**
 * Creates the contact that a teammate typed. Whose an email address is already is no fault but an answer.
 * @throws Refusal when a value is not possible, or too little is known
 */
export async function createFromForm(workspaceId: string, typed: TypedContact): Promise<SavedContact> {
  const { fields, company } = parseContactForm(typed);
  if (!isSomebody(fields)) {
    throw invalid({ name: ['Give at least one of name, email address and phone number.'] });
  }
  return saved(createContact({ workspaceId, fields, company }));
}

/**
 * Changes what a teammate changed of a contact; a blank field is emptied.
 * @throws Refusal when a value is not possible, too little would be left, or the contact is not there
 */
export async function updateFromForm(
  { workspaceId, id }: { workspaceId: string; id: string },
  typed: TypedContact,
): Promise<SavedContact> {
  return saved(updateContact({ workspaceId, id, ...parseContactForm(typed) }));
}

async function saved(work: Promise<ContactRecord>): Promise<SavedContact> {
  try {
    const contact = await work;
    return { kind: 'saved', id: contact.id, name: contactLabel(contact) };
  } catch (error) {
    const owner = emailOwnerIn(error);
    if (!owner) throw error;
    return { kind: 'email_taken', sentence: refusalIn(error)?.message ?? '', owner };
  }
}
