import { z } from 'zod';
import { addCompanyDomain, removeCompanyDomain } from '#server/contacts/change-company-domains.ts';
import { deleteCompany } from '#server/contacts/delete-company.ts';
import { linkContacts } from '#server/contacts/link-company-contacts.ts';
import { createCompany, renameCompany } from '#server/contacts/name-company.ts';
import { db } from '#server/core/database/db.ts';
import { agentProcedure } from '#server/screens/agent-procedure.ts';
import { getCompany } from '#server/screens/contacts/get-company.ts';
import { listCompanies } from '#server/screens/contacts/list-companies.ts';
import { mayChangeContacts } from '#server/screens/contacts/may-change.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';

export type * from '#server/screens/contacts/companies-views.ts';

const which = z.object({ id: z.string() });
const ofDomain = which.extend({ domain: z.string() });

/** The companies that contacts belong to. Those who may change contacts may change these. */
export const companiesScreens = screenRouter({
  list: screenProcedure
    .input(z.object({ search: z.string().optional(), cursor: z.string().optional() }).default({}))
    .query(({ ctx: { workspace }, input }) => listCompanies(db(), { workspaceId: workspace.id, ...input })),
  get: screenProcedure
    .input(which)
    .query(({ ctx: { workspace }, input: { id } }) =>
      getCompany(db(), { workspaceId: workspace.id, id, mayChange: mayChangeContacts(workspace.role) }),
    ),
  create: agentProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { workspace }, input }) => createCompany({ workspaceId: workspace.id, ...input })),
  rename: agentProcedure
    .input(which.extend({ name: z.string() }))
    .mutation(({ ctx: { workspace }, input }) => renameCompany({ workspaceId: workspace.id, ...input })),
  delete: agentProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteCompany({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addDomain: agentProcedure
    .input(ofDomain)
    .mutation(({ ctx: { workspace }, input }) => addCompanyDomain({ workspaceId: workspace.id, ...input })),
  removeDomain: agentProcedure
    .input(ofDomain)
    .mutation(({ ctx: { workspace }, input }) =>
      removeCompanyDomain({ workspaceId: workspace.id, ...input }),
    ),
  linkContacts: agentProcedure
    .input(ofDomain)
    .mutation(({ ctx: { workspace }, input: { id: companyId, domain } }) =>
      linkContacts({ workspaceId: workspace.id, companyId, domain }),
    ),
});
