import { z } from 'zod';
import { contactBody, contactFilters, newContactBody, UPDATED_CONTACT } from '#server/api/contact-input.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { listContactsByChange, readTimedContact } from '#server/contacts/list-by-change.ts';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { contactExists } from '#server/contacts/search-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { pathParameter, queryText, requiredText } from '#server/contract/fields.ts';
import { exampleContact } from '#server/contract/record-examples.ts';
import { contactSchema, timestampField } from '#server/contract/record-schemas.ts';
import { sql } from '#server/core/database/sql.ts';
import { pageOf, pageQuery, pageSchema, updatedSinceQuery } from '#server/developer-api/pages.ts';
import {
  developer,
  developerProcedure,
  programActor,
  refuseUnknown,
} from '#server/developer-api/procedures.ts';

const timedContactSchema = z
  .object({ ...contactSchema.shape, updated_at: timestampField('When it was last changed.') })
  .meta({
    id: 'TimedContact',
    description: 'A person who writes to the workspace.',
    examples: [{ ...exampleContact, updated_at: '2026-11-21T06:31:02.480+00:00' }],
  });

const contactsQuery = z.object({
  ...contactFilters,
  company_id: queryText({
    label: 'company (company_id)',
    max: 60,
    description: 'Only contacts of this company.',
    example: exampleContact.company.id,
  }),
  updated_since: updatedSinceQuery('contacts'),
  ...pageQuery,
});

const contactId = { id: pathParameter('The id of the contact.') };
const updateInput = z.object({ ...contactId, ...contactBody.shape });
const mergeInput = z.object({
  ...contactId,
  into_id: requiredText({
    label: 'remaining contact (into_id)',
    max: 60,
    description: 'The id of the contact that remains.',
    example: '01a4d7f0-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
  }),
});

const UNKNOWN = 'The workspace has no contact with this id.';

export const contactProcedures = developer.router({
  list: developerProcedure('read', {
    method: 'GET',
    path: '/contacts',
    operationId: 'listContacts',
    tags: ['Contacts'],
    summary: 'List contacts',
    description:
      'The contacts of the workspace by their last change, oldest first. A contact that changes while you read page by ' +
      'page moves to the end. With several parameters a contact must match all of them.',
    successDescription: 'A page of contacts.',
    errorResponses: { 422: 'A parameter is not valid.' },
  })
    .input(contactsQuery)
    .output(pageSchema(timedContactSchema, { id: 'ContactPage', records: 'contacts' }))
    .query(
      async ({ ctx: { program }, input: { email, phone, company_id, updated_since, limit, cursor } }) => {
        const found = await listContactsByChange(sql(), {
          workspaceId: program.workspace.id,
          email,
          phone,
          companyId: company_id,
          updatedSince: updated_since,
          after: cursor ?? null,
          limit: limit + 1,
        });
        return pageOf(found, limit);
      },
    ),

  get: developerProcedure('read', {
    method: 'GET',
    path: '/contacts/{id}',
    operationId: 'getContact',
    tags: ['Contacts'],
    summary: 'Read a contact',
    description: 'The id of a merged contact returns the contact that remains.',
    successDescription: 'The contact.',
    errorResponses: { 404: UNKNOWN },
  })
    .input(z.object(contactId))
    .output(timedContactSchema)
    .query(({ ctx: { program }, input: { id } }) =>
      readTimedContact(sql(), { workspaceId: program.workspace.id, id }),
    ),

  create: developerProcedure('write_contacts', {
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
    .output(timedContactSchema)
    .mutation(({ ctx: { program, write }, input: fields }) =>
      write(async (tx) => {
        const workspaceId = program.workspace.id;
        const planned = await createContact(tx, { workspaceId, actor: programActor(program), fields });
        const { result: contact } = planned;
        return { ...planned, result: { ...contact, updated_at: contact.created_at } };
      }),
    ),

  update: developerProcedure('write_contacts', {
    method: 'PATCH',
    path: '/contacts/{id}',
    operationId: 'updateContact',
    tags: ['Contacts'],
    summary: 'Update a contact',
    description:
      'Changes only the fields that are sent with a value. A contact without a company is ' +
      'linked to the one that the domain of a new email address belongs to. The id of a merged contact changes the ' +
      'contact that remains.',
    errorResponses: {
      404: UNKNOWN,
      422: 'A value is not valid, or another contact has the email address.',
    },
  })
    .use(refuseUnknown(updateInput, UPDATED_CONTACT))
    .input(updateInput)
    .output(timedContactSchema)
    .mutation(async ({ ctx: { program, transact }, input: { id, ...fields } }) => {
      const workspaceId = program.workspace.id;
      const changed = await updateContact(
        { workspaceId, id, actor: programActor(program), isTest: false, fields },
        transact,
      );
      return readTimedContact(sql(), { workspaceId, id: changed.id });
    }),

  merge: developerProcedure('write_contacts', {
    method: 'POST',
    path: '/contacts/{id}/merge',
    operationId: 'mergeContact',
    tags: ['Contacts'],
    summary: 'Merge a contact into another one',
    description:
      'Moves the conversations of the contact to the contact `into_id`, fills the fields that it lacks, and deletes the ' +
      'contact. Its id then stands for the contact that remains. Cannot be undone.',
    successDescription: 'The contact that remains.',
    errorResponses: {
      404: UNKNOWN,
      422: 'The other contact is not given, or both are the same contact.',
    },
  })
    .use(refuseUnknown(mergeInput, { what: 'The contact', exists: contactExists }))
    .input(mergeInput)
    .output(timedContactSchema)
    .mutation(({ ctx: { program, transact }, input: { id, into_id: intoId } }) =>
      transact(async (tx) => {
        const workspaceId = program.workspace.id;
        const actor = programActor(program);
        const remaining = await mergeContacts({ workspaceId, id, intoId, actor }, (change) => change(tx));
        return readTimedContact(tx, { workspaceId, id: remaining.id });
      }),
    ),
});
