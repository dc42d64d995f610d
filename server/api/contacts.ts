import { z } from 'zod';
import { contactBody, contactQuery, newContactBody } from '#server/api/api-fields.ts';
import { apiProcedure, apiRouter, refuseUnknown } from '#server/api/procedures.ts';
import { contactExists } from '#server/contacts/contact-exists.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { contactSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/db.ts';

/** Contacts, as the platform sees them. */
export const contactsApi = apiRouter({
  search: apiProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/contacts/search',
        operationId: 'searchContacts',
        tags: ['Contacts'],
        summary: 'Find contacts',
        description:
          'The contacts with this email address or phone number, at most 10, newest first. With both, a contact ' +
          'must match both; with neither the result is empty.',
        errorResponses: { 422: 'A parameter is too long or contains an invalid character.' },
      },
    })
    .input(contactQuery)
    .output(z.array(contactSchema))
    .query(({ ctx: { caller }, input: { email, phone } }) =>
      searchContacts(db(), { workspaceId: caller.workspace.id, email, phone }),
    ),

  create: apiProcedure
    .meta({
      openapi: {
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
      },
    })
    .input(newContactBody)
    .output(contactSchema)
    .mutation(({ ctx: { caller }, input: fields }) =>
      createContact({ workspaceId: caller.workspace.id, fields }),
    ),

  update: apiProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/contacts/{id}',
        operationId: 'updateContact',
        tags: ['Contacts'],
        summary: 'Update a contact',
        description:
          'Changes the fields that are sent with a value; the others keep theirs. A contact without a company is ' +
          'linked to the one that the domain of a new email address belongs to.',
        errorResponses: {
          404: 'The workspace has no contact with this id.',
          422: 'A value is not valid, or another contact has the email address.',
        },
      },
    })
    .use(refuseUnknown('The contact', contactExists))
    .input(z.object({ id: pathParameter('The id of the contact.'), ...contactBody.shape }))
    .output(contactSchema)
    .mutation(({ ctx: { caller }, input: { id, ...fields } }) =>
      updateContact({ workspaceId: caller.workspace.id, id, isTest: false, fields }),
    ),
});
