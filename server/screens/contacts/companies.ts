import { z } from 'zod';
import {
  addCompanyDomain,
  DOMAINS_MAX,
  removeCompanyDomain,
} from '#server/contacts/change-company-domains.ts';
import { deleteCompany } from '#server/contacts/delete-company.ts';
import { couldBeLinked, linkContacts } from '#server/contacts/link-company-contacts.ts';
import { createCompany, renameCompany } from '#server/contacts/name-company.ts';
import { addressInput, keyInput, lineInput, searchInput } from '#server/contract/text-input.ts';
import { type Db, db, inTransaction } from '#server/core/database/prisma.ts';
import { asciiEmail, shownEmail } from '#server/core/email-domain.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { mayChangeContacts } from '#server/screens/contacts/get-contact.ts';
import { countContacts, findCompany, listCompanies } from '#server/screens/contacts/list-companies.ts';
import type { CompanyView } from '#server/screens/contacts/views.ts';
import { agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';

export type * from '#server/screens/contacts/views.ts';

const which = z.object({ id: keyInput });
const whichDomain = which.extend({ domain: addressInput });

/** Companies of contacts. Teammates who can change contacts can change companies. */
export const companiesScreens = screenRouter({
  list: screenProcedure
    .input(z.object({ search: searchInput.optional(), cursor: keyInput.optional() }).default({}))
    .query(({ ctx: { workspace }, input }) => listCompanies(db(), { workspaceId: workspace.id, ...input })),
  get: screenProcedure
    .input(which)
    .query(({ ctx: { workspace }, input: { id } }) =>
      getCompany(db(), { workspaceId: workspace.id, id, mayChange: mayChangeContacts(workspace.role) }),
    ),
  create: agentProcedure
    .input(z.object({ name: lineInput }))
    .mutation(({ ctx: { workspace }, input }) =>
      inTransaction((tx) => createCompany(tx, { workspaceId: workspace.id, ...input })),
    ),
  rename: agentProcedure
    .input(which.extend({ name: lineInput }))
    .mutation(({ ctx: { workspace }, input }) =>
      inTransaction((tx) => renameCompany(tx, { workspaceId: workspace.id, ...input })),
    ),
  delete: agentProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteCompany({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addDomain: agentProcedure
    .input(whichDomain)
    .mutation(({ ctx: { workspace }, input }) => addCompanyDomain({ workspaceId: workspace.id, ...input })),
  removeDomain: agentProcedure
    .input(whichDomain)
    .mutation(({ ctx: { workspace }, input }) =>
      removeCompanyDomain({ workspaceId: workspace.id, ...input, domain: asciiEmail(input.domain) }),
    ),
  linkContacts: agentProcedure
    .input(whichDomain)
    .mutation(({ ctx: { workspace }, input: { id: companyId, domain } }) =>
      linkContacts({ workspaceId: workspace.id, companyId, domain: asciiEmail(domain) }),
    ),
});

/** Returns a company with its domains, or null. `id` is any text. Its contacts are listed separately. */
async function getCompany(
  db: Db,
  { workspaceId, id, mayChange }: { workspaceId: string; id: string; mayChange: boolean },
): Promise<CompanyView | null> {
  const company = await findCompany(db, { workspaceId, id });
  if (!company) return null;
  const [domains, [counted]] = await Promise.all([
    db.$queryRaw<{ domain: string; unlinked: number }[]>`
      select d.domain, u.unlinked
      from company_domains d
      cross join lateral (
        select count(*)::int as unlinked from (
          select from contacts
          where ${couldBeLinked(Prisma.sql`d.workspace_id`, Prisma.sql`d.domain`)}
          limit ${COUNTED_MAX + 1}::int) unlinked_contacts
      ) u
      where d.workspace_id = ${workspaceId}::uuid and d.company_id = ${id}::uuid
      order by d.domain`,
    db.$queryRaw<{ contacts: number }[]>(countContacts(workspaceId, Prisma.sql`${id}::uuid`)),
  ]);
  return {
    ...company,
    domains: domains.map(({ domain, unlinked }) => ({
      domain: shownEmail(domain),
      unlinked: shown(unlinked),
    })),
    domainsMax: DOMAINS_MAX,
    contacts: shown(counted?.contacts),
    mayChange,
  };
}
