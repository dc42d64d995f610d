import { phoneDigits } from '#server/contacts/phone-digits.ts';
import { splitName } from '#server/contacts/split-name.ts';

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
