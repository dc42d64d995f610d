import { z } from 'zod';
import { COMPANY_NAME_MAX } from '#server/contacts/contact-fields.ts';
import { createCompany, renameCompany } from '#server/contacts/name-company.ts';
import { companyExists, listCompaniesAfter, readCompany } from '#server/contacts/read-companies.ts';
import { pathParameter, requiredText } from '#server/contract/fields.ts';
import { exampleContact } from '#server/contract/record-examples.ts';
import { idField, textField, timestampField } from '#server/contract/record-schemas.ts';
import { sql } from '#server/core/database/sql.ts';
import { keyPageOf, namedPageQuery, pageSchema } from '#server/developer-api/pages.ts';
import { developer, developerProcedure, refuseUnknown } from '#server/developer-api/procedures.ts';

const companySchema = z
  .object({
    id: idField('The id of the company.'),
    name: textField('The name of the company.'),
    domains: z
      .array(z.string())
      .meta({ description: 'New contacts with an address of these domains are linked to the company.' }),
    created_at: timestampField('When it was created.'),
  })
  .meta({
    id: 'CompanyDetails',
    description: 'A company of contacts.',
    examples: [
      { ...exampleContact.company, domains: ['engines.example'], created_at: exampleContact.created_at },
    ],
  });

const companyId = { id: pathParameter('The id of the company.') };
const companyBody = {
  name: requiredText({
    label: 'name',
    max: COMPANY_NAME_MAX,
    description: 'The name, which no other company of the workspace has, in upper or lower case.',
    example: 'Analytical Engines',
  }),
};
const updateInput = z.object({ ...companyId, ...companyBody });

const UNKNOWN = 'The workspace has no company with this id.';

export const companyProcedures = developer.router({
  list: developerProcedure('read', {
    method: 'GET',
    path: '/companies',
    operationId: 'listCompanies',
    tags: ['Contacts'],
    summary: 'List companies',
    description: 'The companies of the workspace by name.',
    successDescription: 'A page of companies.',
    errorResponses: { 422: 'A parameter is not valid.' },
  })
    .input(z.object(namedPageQuery))
    .output(pageSchema(companySchema, { id: 'CompanyPage', records: 'companies' }))
    .query(async ({ ctx: { program }, input: { limit, cursor: after } }) => {
      const workspaceId = program.workspace.id;
      return keyPageOf(await listCompaniesAfter(sql(), { workspaceId, after, limit: limit + 1 }), limit);
    }),

  get: developerProcedure('read', {
    method: 'GET',
    path: '/companies/{id}',
    operationId: 'getCompany',
    tags: ['Contacts'],
    summary: 'Read a company',
    successDescription: 'The company.',
    errorResponses: { 404: UNKNOWN },
  })
    .input(z.object(companyId))
    .output(companySchema)
    .query(({ ctx: { program }, input: { id } }) =>
      readCompany(sql(), { workspaceId: program.workspace.id, id }),
    ),

  create: developerProcedure('write_contacts', {
    method: 'POST',
    path: '/companies',
    operationId: 'createCompany',
    tags: ['Contacts'],
    summary: 'Create a company',
    description: 'Creates a company without domains and contacts.',
    errorResponses: { 422: 'The name is missing, not valid or in use, or there are too many companies.' },
  })
    .input(z.object(companyBody))
    .output(companySchema)
    .mutation(({ ctx: { program, transact }, input: { name } }) =>
      transact(async (tx) => {
        const workspaceId = program.workspace.id;
        const { id } = await createCompany(tx, { workspaceId, name });
        return readCompany(tx, { workspaceId, id });
      }),
    ),

  update: developerProcedure('write_contacts', {
    method: 'PATCH',
    path: '/companies/{id}',
    operationId: 'updateCompany',
    tags: ['Contacts'],
    summary: 'Rename a company',
    errorResponses: { 404: UNKNOWN, 422: 'The name is missing, not valid or in use.' },
  })
    .use(refuseUnknown(updateInput, { what: 'The company', exists: companyExists }))
    .input(updateInput)
    .output(companySchema)
    .mutation(({ ctx: { program, transact }, input: { id, name } }) =>
      transact(async (tx) => {
        const which = { workspaceId: program.workspace.id, id };
        await renameCompany(tx, { ...which, name });
        return readCompany(tx, which);
      }),
    ),
});
