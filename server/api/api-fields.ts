import { z } from 'zod';
import { isSomebody } from '#server/contacts/contact-fields.ts';
import { CONTACT_MAX } from '#server/contacts/contact-limits.ts';
import { optionalEmail, optionalText, queryText } from '#server/contract/fields.ts';
import { queryEmail } from '#server/contract/query-email.ts';

// As bodies and searches take them (spec.md §8, contact fields and contact search).
const EMAIL = { label: 'email address (email)', max: CONTACT_MAX.email };
const PHONE = { label: 'phone number (phone)', max: CONTACT_MAX.phone };

/** What the platform can say of a contact, in its body. */
export const contactBody = z.object({
  name: optionalText({
    label: 'name',
    max: CONTACT_MAX.name,
    description: 'First and last name together; the first name ends at the first space.',
    example: 'Ada Lovelace',
  }),
  email: optionalEmail({
    ...EMAIL,
    description: 'The email address, which no other contact of the workspace may have. Kept in lowercase.',
    example: 'ada@engines.example',
  }),
  phone: optionalText({
    ...PHONE,
    description: 'The phone number, kept as it is written.',
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

/** The same for someone new, of whom something must be known to find them again. */
export const newContactBody = contactBody.refine(isSomebody, {
  message: 'Give at least one of name, email and phone.',
});

/** What contacts are searched by. */
export const contactQuery = z.object({
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
});
