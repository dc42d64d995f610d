import type { Company } from '#server/contacts/choose-company.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Finds the company with the domain of an email address (docs/spec.md §4.2, POST /contacts), or null. Locks
 * it until the transaction ends, so that a contact can be linked to it.
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

/** Returns SQL for the id and name of the company with a domain. The key share lock prevents its deletion. */
export function companyWithDomain(which: { workspaceId: string; domain: string }): Prisma.Sql {
  return Prisma.sql`
    select o.id, o.name from company_domains d
    join companies o on o.workspace_id = d.workspace_id and o.id = d.company_id
    where d.workspace_id = ${which.workspaceId}::uuid and d.domain = ${which.domain} and o.deleted_at is null
    for key share of o`;
}

/** Returns the part of an address after its last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/**
 * Links a contact without a company to the company of a new email address. Runs before the address is
 * written, because an unchanged address links nothing (docs/rulings.md 3.12).
 * @param email lowercase
 * @returns whether the contact was linked
 */
export async function linkCompany(
  tx: SqlDb,
  { workspaceId, id, email }: { workspaceId: string; id: string; email: string },
): Promise<boolean> {
  const linked = await tx.$executeRaw`
    with company as (${companyWithDomain({ workspaceId, domain: domainOf(email) })})
    update contacts c set company_id = company.id
    from company
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid
      and c.company_id is null and c.email is distinct from ${email}`;
  return linked > 0;
}
