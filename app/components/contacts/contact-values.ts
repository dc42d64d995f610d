import { textOf } from '#app/lib/form-state.ts';
import { ScreenRefusal } from '#app/lib/outcome.ts';
import type { KnownContact } from '#server/screens/contacts/views.ts';

/** Special values of the selects. */
export const OTHER_LANGUAGE = 'other';
export const COMPANY_BY_EMAIL = 'by-email';
export const NO_COMPANY = 'none';
export const NEW_COMPANY = 'new';

/** Text fields, named as in the form and on the server. */
export const TYPED_FIELDS = ['name', 'email', 'phone', 'city'] as const;

/** The form's values as strings. `company` is an id or one of the special values above. */
export type ContactValues = Record<(typeof TYPED_FIELDS)[number] | 'language' | 'company', string>;

/** Returns the initial values of the form. */
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

/**
 * Returns the submitted values of the form.
 * @throws ScreenRefusal for another language without a code, which would clear the language
 */
export function sentValues(form: FormData): ContactValues {
  const language = textOf(form, 'language');
  if (language === OTHER_LANGUAGE && textOf(form, 'languageCode').trim() === '') {
    throw new ScreenRefusal('Enter a language code, or choose Unknown.', ['languageCode']);
  }
  return {
    name: textOf(form, 'name'),
    email: textOf(form, 'email'),
    phone: textOf(form, 'phone'),
    city: textOf(form, 'city'),
    language: language === OTHER_LANGUAGE ? textOf(form, 'languageCode') : language,
    company: textOf(form, 'company'),
  };
}

/** A change of the company. Undefined means no change, or matching by email address. */
type CompanyChange = { id: string } | { name: string } | null | undefined;

/**
 * Returns only the changed values, so that saving does not overwrite a concurrent change. A cleared value is sent as
 * an empty string.
 * @param companyName the typed name of a new company
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
