import { z } from 'zod';
import { CONTACT_MAX, isSomebody } from '#server/contacts/contact-fields.ts';
import { optionalEmail, optionalName, optionalText } from '#server/contract/fields.ts';

// Limits of docs/spec.md §8, in bodies and searches.
export const EMAIL = { label: 'email address (email)', max: CONTACT_MAX.email };
export const PHONE = { label: 'phone number (phone)', max: CONTACT_MAX.phone };

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
