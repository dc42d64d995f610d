import { DOMAINS_MAX } from '#server/companies/change-domains.ts';
import { couldBeLinked } from '#server/companies/link-contacts.ts';
import { countContacts } from '#server/companies/list-companies.ts';
import type { CompanyView } from '#server/companies/views.ts';
import { findCompany } from '#server/contacts/list-companies.ts';
import { COUNTED_MAX, shown } from '#server/conversations/list/count-inbox.ts';
import type { Db } from '#server/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** A company with its domains, or null when the workspace has none of this id; any text. Its contacts are a list apart. */
export async function openCompany(
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
    domains: domains.map(({ domain, unlinked }) => ({ domain, unlinked: shown(unlinked) })),
    domainsMax: DOMAINS_MAX,
    contacts: shown(counted?.contacts),
    mayChange,
  };
}
