import { phoneKey } from '#server/contacts/phone-key.ts';

/** Fields of a contact. Missing and undefined fields were not given. Values are trimmed and not empty. */
export type ContactFields = {
  /** First and last name: in one string, or in two parts where mail says which is which. */
  name?: string | { firstName: string; lastName: string | null } | undefined;
  /** Lowercase. */
  email?: string | undefined;
  phone?: string | undefined;
  city?: string | undefined;
  language?: string | undefined;
};

export type ContactField = keyof ContactFields;

/** Returns whether the fields identify a person: by name, email address or phone number. */
export function isSomebody({ name, email, phone }: ContactFields): boolean {
  return (name ?? email ?? phone) !== undefined;
}

/** Returns the columns of the given fields. */
export function contactFieldColumns({ name, email, phone, city, language }: ContactFields) {
  return {
    ...(name === undefined ? {} : typeof name === 'string' ? splitName(name) : name),
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone, phoneDigits: phoneDigits(phone), phoneKey: phoneKey(phone) }),
    ...(city === undefined ? {} : { city }),
    ...(language === undefined ? {} : { language }),
  };
}

const EMPTIED = {
  name: { firstName: null, lastName: null },
  email: { email: null },
  phone: { phone: null, phoneDigits: null, phoneKey: null },
  city: { city: null },
  language: { language: null },
} as const satisfies Record<ContactField, object>;

/** Returns the columns of the fields to clear. */
export function emptiedColumns(fields: readonly ContactField[]) {
  return {
    ...(fields.includes('name') ? EMPTIED.name : {}),
    ...(fields.includes('email') ? EMPTIED.email : {}),
    ...(fields.includes('phone') ? EMPTIED.phone : {}),
    ...(fields.includes('city') ? EMPTIED.city : {}),
    ...(fields.includes('language') ? EMPTIED.language : {}),
  };
}

/** Maximum lengths in code points (docs/spec.md §8, contact fields). */
export const CONTACT_MAX = { name: 160, email: 255, phone: 60, city: 120, language: 8 } as const;

/** Maximum length of a company's name. The contract has no limit; this is a contact's. */
export const COMPANY_NAME_MAX = 160;

/**
 * Returns the digits 0 to 9 of a phone number, by which phones are searched: a leading `+`, spaces and dashes
 * do not matter (docs/rulings.md 1.8). The check constraint `contacts_phone_digits` has the same rule.
 * @returns null when there is no digit
 */
export function phoneDigits(phone: string): string | null {
  return phone.replaceAll(/[^0-9]/g, '') || null;
}

/**
 * Splits a name at the first space into first name and last name (docs/rulings.md 1.7).
 * @param name trimmed and not empty
 */
export function splitName(name: string): { firstName: string; lastName: string | null } {
  const space = name.indexOf(' ');
  if (space === -1) return { firstName: name, lastName: null };
  return { firstName: name.slice(0, space), lastName: name.slice(space + 1).trim() || null };
}
