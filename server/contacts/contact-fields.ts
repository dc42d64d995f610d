/** What can be said of a contact; what is left out or undefined was not said. Trimmed, and none is empty. */
export type ContactFields = {
  /** First and last name as one text. */
  name?: string | undefined;
  /** Lowercase. */
  email?: string | undefined;
  phone?: string | undefined;
  city?: string | undefined;
  language?: string | undefined;
};

/** A field by its name, as one that is to be emptied. */
export type ContactField = keyof ContactFields;

/** Whether enough is known to identify someone: a name, an email address or a phone number. */
export function isSomebody({ name, email, phone }: ContactFields): boolean {
  return (name ?? email ?? phone) !== undefined;
}

/** The fields that were sent as the columns they are kept in, and no other. */
export function contactFieldColumns({ name, email, phone, city, language }: ContactFields) {
  return {
    ...(name === undefined ? {} : splitName(name)),
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone, phoneDigits: phoneDigits(phone) }),
    ...(city === undefined ? {} : { city }),
    ...(language === undefined ? {} : { language }),
  };
}

const EMPTIED = {
  name: { firstName: null, lastName: null },
  email: { email: null },
  phone: { phone: null, phoneDigits: null },
  city: { city: null },
  language: { language: null },
} as const satisfies Record<ContactField, object>;

/** The columns of the fields that are to be emptied, and no other. */
export function emptiedColumns(fields: readonly ContactField[]) {
  return {
    ...(fields.includes('name') ? EMPTIED.name : {}),
    ...(fields.includes('email') ? EMPTIED.email : {}),
    ...(fields.includes('phone') ? EMPTIED.phone : {}),
    ...(fields.includes('city') ? EMPTIED.city : {}),
    ...(fields.includes('language') ? EMPTIED.language : {}),
  };
}

/** How many characters each field of a contact may have, counted in code points (spec.md §8, contact fields). */
export const CONTACT_MAX = { name: 160, email: 255, phone: 60, city: 120, language: 8 } as const;

/** The same of a company's name, which the contract does not limit: as long as a contact's. */
export const COMPANY_NAME_MAX = 160;

/**
 * What phones are searched by: their digits 0 to 9 alone, so that a leading `+`, spaces and dashes do not matter
 * (decisions: values, 8). The check `contacts_phone_digits` of the database says the same.
 * @returns null when there is no digit
 */
export function phoneDigits(phone: string): string | null {
  return phone.replaceAll(/[^0-9]/g, '') || null;
}

/**
 * A name given as one text: up to the first space is the first name, the rest (or null) the last name.
 * @param name trimmed and not empty
 */
export function splitName(name: string): { firstName: string; lastName: string | null } {
  const space = name.indexOf(' ');
  if (space === -1) return { firstName: name, lastName: null };
  return { firstName: name.slice(0, space), lastName: name.slice(space + 1).trim() || null };
}
