import { z } from 'zod';
import { api, apiProcedure, parseValidFields, refuseUnknown, workflowActor } from '#server/api/procedures.ts';
import { CONTACT_MAX, isSomebody } from '#server/contacts/contact-fields.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { contactExists, searchContacts } from '#server/contacts/search-contacts.ts';
import { findUpdateProblems, updateContact } from '#server/contacts/update-contact.ts';
import {
  optionalEmail,
  optionalName,
  optionalText,
  pathParameter,
  queryEmail,
  queryText,
} from '#server/contract/fields.ts';
import { contactSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';

// Limits of docs/spec.md §8, in bodies and searches.
const EMAIL = { label: 'email address (email)', max: CONTACT_MAX.email };
const PHONE = { label: 'phone number (phone)', max: CONTACT_MAX.phone };

const contactQuery = z.object({
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

const contactBody = z.object({
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
const newContactBody = contactBody.refine(isSomebody, {
  message: 'Give at least one of name, email and phone.',
});

const updateInput = z.object({ id: pathParameter('The id of the contact.'), ...contactBody.shape });

export const contactsApi = api.router({
  search: apiProcedure({
    method: 'GET',
    path: '/contacts/search',
    operationId: 'searchContacts',
    tags: ['Contacts'],
    summary: 'Find contacts',
    description:
      'The contacts with this email address or phone number, at most 10, newest first. With both, a contact ' +
      'must match both; with neither the result is empty.',
    errorResponses: { 422: 'A parameter is too long or contains an invalid character.' },
  })
    .input(contactQuery)
    .output(z.array(contactSchema))
    .query(({ ctx: { caller }, input: { email, phone } }) =>
      searchContacts(db(), { workspaceId: caller.workspace.id, email, phone }),
    ),

  create: apiProcedure({
    method: 'POST',
    path: '/contacts',
    operationId: 'createContact',
    tags: ['Contacts'],
    summary: 'Create a contact',
    description:
      'At least one of name, email and phone is required. The contact is linked to the company of the ' +
      'workspace that the domain of the email address belongs to.',
    errorResponses: {
      422: 'A value is not valid, none of the three was given, or another contact has the email address.',
    },
  })
    .input(newContactBody)
    .output(contactSchema)
    .mutation(({ ctx: { caller, write }, input: fields }) =>
      write((tx) =>
        createContact(tx, { workspaceId: caller.workspace.id, actor: workflowActor(caller), fields }),
      ),
    ),

  update: apiProcedure({
    method: 'PATCH',
    path: '/contacts/{id}',
    operationId: 'updateContact',
    tags: ['Contacts'],
    summary: 'Update a contact',
    description:
      'Changes only the fields that are sent with a value. A contact without a company is ' +
      'linked to the one that the domain of a new email address belongs to. The id of a contact that a teammate ' +
      'merged into another one stays valid: it changes the contact that remains.',
    errorResponses: {
      404: 'The workspace has no contact with this id.',
      422: 'A value is not valid, or another contact has the email address.',
    },
  })
    .use(
      refuseUnknown(updateInput, {
        what: 'The contact',
        exists: contactExists,
        findProblems: (which, input) =>
          findUpdateProblems({ ...which, fields: parseValidFields(contactBody.shape, input) }),
      }),
    )
    .input(updateInput)
    .output(contactSchema)
    .mutation(({ ctx: { caller }, input: { id, ...fields } }) =>
      updateContact({ workspaceId: caller.workspace.id, id, isTest: false, fields }),
    ),
});
