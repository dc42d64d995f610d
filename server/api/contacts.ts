import { z } from 'zod';
import { contactBody, contactFilters, newContactBody, UPDATED_CONTACT } from '#server/api/contact-input.ts';
import { api, apiProcedure, refuseUnknown, workflowActor } from '#server/api/procedures.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { contactSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';

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
    .input(z.object(contactFilters))
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
    .use(refuseUnknown(updateInput, UPDATED_CONTACT))
    .input(updateInput)
    .output(contactSchema)
    .mutation(({ ctx: { caller, transact }, input: { id, ...fields } }) =>
      updateContact(
        { workspaceId: caller.workspace.id, id, actor: workflowActor(caller), isTest: false, fields },
        transact,
      ),
    ),
});
