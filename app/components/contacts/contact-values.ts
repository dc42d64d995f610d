import { textOf } from '#app/lib/form-state.ts';
import type { KnownContact } from '#server/screens/contacts/views.ts';

/** What a select says instead of one of the values it offers. */
export const OTHER_LANGUAGE = 'other';
export const COMPANY_BY_EMAIL = 'by-email';
export const NO_COMPANY = 'none';
export const NEW_COMPANY = 'new';

/** The fields that are typed, under the names they have in the form and for the server. */
export const TYPED_FIELDS = ['name', 'email', 'phone', 'city'] as const;

/** The form's values as texts; `company`: an id or one of the words above. */
export type ContactValues = Record<(typeof TYPED_FIELDS)[number] | 'language' | 'company', string>;

/** What the form shows at first. */
export function shownValues(contact: KnownContact | null): ContactValues {
  return {
    name: contact?.name ?? '',
    email: contact?.email ?? '',
    phone: contact?.phone ?? '',
    city: contact?.city ?? '',
    language: contact?.language ?? '',
    company: contact ? (contact.company?.id ?? NO_COMPANY) : COMPANY_BY_EMAIL,
  };
}

/** What the form was sent with. */
export function sentValues(form: FormData): ContactValues {
  const language = textOf(form, 'language');
  return {
    name: textOf(form, 'name'),
    email: textOf(form, 'email'),
    phone: textOf(form, 'phone'),
    city: textOf(form, 'city'),
    language: language === OTHER_LANGUAGE ? textOf(form, 'languageCode') : language,
    company: textOf(form, 'company'),
  };
}

/** A company as it is sent to the server; undefined: it follows the email address, or stays. */
type CompanyChange = { id: string } | { name: string } | null | undefined;

/**
 * What was changed of the values shown. The rest is not sent, so that it does not undo what somebody else changed
 * meanwhile; a value that was emptied is sent as the empty text.
 * @param companyName what was typed for a new company
 */
export function changedValues(shown: ContactValues, sent: ContactValues, companyName: string) {
  const typed = [...TYPED_FIELDS, 'language' as const].filter((field) => sent[field].trim() !== shown[field]);
  return {
    ...(Object.fromEntries(typed.map((field) => [field, sent[field]])) as Partial<
      Record<(typeof typed)[number], string>
    >),
    ...(sent.company === shown.company ? {} : { company: companyChange(sent.company, companyName) }),
  };
}

function companyChange(choice: string, name: string): CompanyChange {
  if (choice === COMPANY_BY_EMAIL) return undefined;
  if (choice === NO_COMPANY) return null;
  return choice === NEW_COMPANY ? { name } : { id: choice };
}
