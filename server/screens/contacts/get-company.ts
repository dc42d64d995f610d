import { DOMAINS_MAX } from '#server/contacts/change-company-domains.ts';
import { couldBeLinked } from '#server/contacts/link-company-contacts.ts';
import type { Db } from '#server/core/database/db.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { CompanyView } from '#server/screens/contacts/companies-views.ts';
import { findCompany } from '#server/screens/contacts/contacts-list-companies.ts';
import { countContacts } from '#server/screens/contacts/list-companies.ts';

/** A company with its domains, or null when the workspace has none of this id; any text. Its contacts are a list apart. */
export async function getCompany(
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
