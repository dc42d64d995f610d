import { z } from 'zod';
import { parseValidFields, type RecordCheck } from '#server/api/check-record.ts';
import { CONTACT_MAX, isSomebody } from '#server/contacts/contact-fields.ts';
import { contactExists } from '#server/contacts/search-contacts.ts';
import { findUpdateProblems } from '#server/contacts/update-contact.ts';
import { optionalEmail, optionalName, optionalText, queryEmail, queryText } from '#server/contract/fields.ts';

// Limits of docs/spec.md §8, in bodies and searches.
const EMAIL = { label: 'email address (email)', max: CONTACT_MAX.email };
const PHONE = { label: 'phone number (phone)', max: CONTACT_MAX.phone };

/** Fields of a contact in the bodies of both APIs. */
export const contactBody = z.object({
  name: optionalName({
    label: 'name',
    max: CONTACT_MAX.name,
    description: 'First and last name together; the first name ends at the first space.',
    example: 'Ada Lovelace',
  }),
  email: optionalEmail({
    ...EMAIL,
    description: 'The email address, which no other contact of the workspace may have. Stored in lowercase.',
    example: 'ada@engines.example',
  }),
  phone: optionalText({
    ...PHONE,
    description: 'The phone number, as it was entered.',
    example: '+44 20 7946 0018',
  }),
  city: optionalText({
    label: 'city',
    max: CONTACT_MAX.city,
    description: 'The city the contact lives in.',
    example: 'London',
  }),
  language: optionalText({
    label: 'language',
    max: CONTACT_MAX.language,
    description: 'The code of the language to write in.',
    example: 'en',
  }),
});

/** A new contact must have something to find it by. */
export const newContactBody = contactBody.refine(isSomebody, {
  message: 'Give at least one of name, email and phone.',
});

/** The parameters of both APIs that find contacts. */
export const contactFilters = {
  email: queryEmail({
    ...EMAIL,
    description: 'Only the contact with this email address, in upper or lower case.',
    example: 'ada@engines.example',
  }),
  phone: queryText({
    ...PHONE,
    description:
      'Only contacts with the digits of this phone number; a leading +, spaces and dashes do not matter.',
    example: '+442079460018',
  }),
};

/** The contact that the path of an update names. */
export const UPDATED_CONTACT: RecordCheck = {
  what: 'The contact',
  exists: contactExists,
  findProblems: (which, input) =>
    findUpdateProblems({ ...which, fields: parseValidFields(contactBody.shape, input) }),
};
