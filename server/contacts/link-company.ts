import { companyWithDomain, domainOf } from '#server/contacts/company-of-email.ts';
import type { Tx } from '#server/core/database/db.ts';

/**
 * Links a contact that has no company to the one that a new address's domain belongs to, if there is one. Comes
 * before the address is written: one that the contact already has links nothing (decisions: contacts, 12).
 * @param email lowercase
 */
export async function linkCompany(
  tx: Tx,
  { workspaceId, id, email }: { workspaceId: string; id: string; email: string },
): Promise<void> {
  await tx.$executeRaw`
    with company as (${companyWithDomain({ workspaceId, domain: domainOf(email) })})
    update contacts c set company_id = company.id
    from company
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid
      and c.company_id is null and c.email is distinct from ${email}`;
}
