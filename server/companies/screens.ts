import { z } from 'zod';
import { addCompanyDomain, removeCompanyDomain } from '#server/companies/change-domains.ts';
import { deleteCompany } from '#server/companies/delete-company.ts';
import { linkContacts } from '#server/companies/link-contacts.ts';
import { listCompanies } from '#server/companies/list-companies.ts';
import { createCompany, renameCompany } from '#server/companies/name-company.ts';
import { openCompany } from '#server/companies/open-company.ts';
import { mayChangeContacts } from '#server/contacts/may-change.ts';
import { db } from '#server/db.ts';
import { actingProcedure } from '#server/teammates/acting-procedure.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

export type * from '#server/companies/views.ts';

const which = z.object({ id: z.string() });
const ofDomain = which.extend({ domain: z.string() });

/** The companies that contacts belong to. Whoever may change contacts may change these. */
export const companiesScreens = screenRouter({
  list: screenProcedure
    .input(z.object({ search: z.string().optional(), cursor: z.string().optional() }).default({}))
    .query(({ ctx: { workspace }, input }) => listCompanies(db(), { workspaceId: workspace.id, ...input })),
  open: screenProcedure
    .input(which)
    .query(({ ctx: { workspace }, input: { id } }) =>
      openCompany(db(), { workspaceId: workspace.id, id, mayChange: mayChangeContacts(workspace.role) }),
    ),
  create: actingProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { workspace }, input }) => createCompany({ workspaceId: workspace.id, ...input })),
  rename: actingProcedure
    .input(which.extend({ name: z.string() }))
    .mutation(({ ctx: { workspace }, input }) => renameCompany({ workspaceId: workspace.id, ...input })),
  delete: actingProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteCompany({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addDomain: actingProcedure
    .input(ofDomain)
    .mutation(({ ctx: { workspace }, input }) => addCompanyDomain({ workspaceId: workspace.id, ...input })),
  removeDomain: actingProcedure
    .input(ofDomain)
    .mutation(({ ctx: { workspace }, input }) =>
      removeCompanyDomain({ workspaceId: workspace.id, ...input }),
    ),
  linkContacts: actingProcedure
    .input(ofDomain)
    .mutation(({ ctx: { workspace }, input: { id: companyId, domain } }) =>
      linkContacts({ workspaceId: workspace.id, companyId, domain }),
    ),
});
