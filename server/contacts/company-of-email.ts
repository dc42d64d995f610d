import type { Company } from '#server/contacts/choose-company.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * The company of the workspace that an address's domain belongs to, or null (spec.md §4.2, POST /contacts). It stays
 * until the transaction ends, so that a contact can be linked to it.
 */
export async function companyOfEmail(
  tx: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<Company | null> {
  const [company] = await tx.$queryRaw<Company[]>(
    companyWithDomain({ workspaceId, domain: domainOf(email) }),
  );
  return company ?? null;
}

/** SQL of the id and name of the company that has a domain; held so that it is not deleted meanwhile. */
export function companyWithDomain(which: { workspaceId: string; domain: string }): Prisma.Sql {
  return Prisma.sql`
    select o.id, o.name from company_domains d
    join companies o on o.workspace_id = d.workspace_id and o.id = d.company_id
    where d.workspace_id = ${which.workspaceId}::uuid and d.domain = ${which.domain} and o.deleted_at is null
    for key share of o`;
}

/** The domain of an address: what follows its last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/**
 * Links a contact that has no company to the one that a new address's domain belongs to, if there is one. Comes
 * before the address is written: one that the contact already has links nothing (decisions: contacts, 12).
 * @param email lowercase
 */
export async function linkCompany(
  tx: SqlDb,
  { workspaceId, id, email }: { workspaceId: string; id: string; email: string },
): Promise<void> {
  await tx.$executeRaw`
    with company as (${companyWithDomain({ workspaceId, domain: domainOf(email) })})
    update contacts c set company_id = company.id
    from company
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid
      and c.company_id is null and c.email is distinct from ${email}`;
}
