import { type CompanyChoice, companyNameProblem } from '#server/contacts/choose-company.ts';
import { CONTACT_MAX, type ContactField, isSomebody } from '#server/contacts/contact-fields.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { emailOwnerIn } from '#server/contacts/duplicate-email.ts';
import { type ContactChanges, updateContact } from '#server/contacts/update-contact.ts';
import { nameProblem, textProblem } from '#server/contract/fields.ts';
import { parseEmail } from '#server/contract/parse-email.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { type FieldErrors, invalid, refusalIn } from '#server/core/errors.ts';
import { cleanName, foldLines } from '#server/core/text.ts';
import type { SavedContact } from '#server/screens/contacts/views.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Creates the contact that a teammate typed. An email address in use is a result, not an error.
 * @throws Refusal when a value is invalid, or name, email address and phone number are missing
 */
export async function createFromForm(
  { workspaceId, actor }: { workspaceId: string; actor: Actor },
  typed: TypedContact,
): Promise<SavedContact> {
  const { fields, company } = parseContactForm(typed);
  if (!isSomebody(fields)) {
    throw invalid({ name: ['Give at least one of name, email address and phone number.'] });
  }
  return saved(planAndWrite((tx) => createContact(tx, { workspaceId, actor, fields, company })));
}

/**
 * Updates a contact with the fields that a teammate changed; a blank field is cleared.
 * @throws Refusal when a value is invalid, nothing identifying would be left, or the contact does not exist
 */
export async function updateFromForm(
  { workspaceId, id, actor }: { workspaceId: string; id: string; actor: Actor },
  typed: TypedContact,
): Promise<SavedContact> {
  return saved(updateContact({ workspaceId, id, actor, ...parseContactForm(typed) }));
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

/** Fields as a teammate typed them. A blank field is cleared, a missing field stays unchanged. */
export type TypedContact = { [Field in ContactField]?: string | undefined } & {
  company?: CompanyChoice | undefined;
};

const LABELS: Record<ContactField, string> = {
  name: 'name',
  email: 'email address',
  phone: 'phone number',
  city: 'city',
  language: 'language',
};
const FIELDS = Object.keys(LABELS) as ContactField[];

/**
 * Parses the contact form by the rules of the API (docs/spec.md §8, contact fields). Errors are keyed by
 * field; the name of a new company is `companyName`.
 * @throws Refusal that names every invalid value
 */
export function parseContactForm({ company, ...typed }: TypedContact): Required<ContactChanges> {
  const fields: ContactChanges['fields'] = {};
  const empty: ContactField[] = [];
  const errors: FieldErrors = {};
  for (const field of FIELDS) {
    const entered = typed[field];
    if (entered === undefined) continue;
    const text = foldLines(entered);
    if (text === '') empty.push(field);
    else {
      const problem = problemOf(field, text);
      if (problem) errors[field] = [problem];
      else fields[field] = convert(field, text);
    }
  }
  const chosen = company && 'name' in company ? { name: foldLines(company.name) } : company;
  const problem = chosen && 'name' in chosen ? companyNameProblem(chosen.name) : undefined;
  if (problem) errors.companyName = [problem];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { fields, empty, company: chosen };
}

function convert(field: ContactField, text: string): string {
  if (field === 'name') return cleanName(text);
  return field === 'email' ? (parseEmail(text) ?? text) : text;
}

function problemOf(field: ContactField, text: string): string | undefined {
  const problem = textProblem(text, { label: LABELS[field], max: CONTACT_MAX[field] });
  if (!problem && field === 'name') return nameProblem(text, { label: LABELS.name });
  if (problem || field !== 'email' || parseEmail(text) !== undefined) return problem;
  return 'Enter a complete email address, for example ada@example.com.';
}
