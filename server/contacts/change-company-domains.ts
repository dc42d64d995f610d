import { lockCompany } from '#server/contacts/name-company.ts';
import { isPublicMailProvider } from '#server/contacts/public-mail-providers.ts';
import { parseDomain } from '#server/contract/parse-email.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';

/** Maximum number of domains per company. */
export const DOMAINS_MAX = 50;

const NO_DOMAIN = 'Enter the domain of their email addresses, for example example.com.';

type Domain = { workspaceId: string; id: string; domain: string };

/**
 * Adds a domain to a company. New contacts with an address of the domain are linked to the company from then
 * on; `linkContacts` links existing ones. Adding a domain of the company again changes nothing.
 * @returns the normalized domain
 * @throws Refusal when the domain is invalid, public, another company's, or the 51st, or when there is no
 * such company
 */
export async function addCompanyDomain(change: Domain): Promise<{ domain: string }> {
  const { workspaceId, id } = change;
  const domain = parseDomain(change.domain, NO_DOMAIN);
  if (isPublicMailProvider(domain)) {
    throw invalid({
      domain: [
        `Anyone can have an address at ${domain}, so it does not identify a company. Choose the company on each contact instead.`,
      ],
    });
  }
  return inTransaction(async (tx) => {
    await lockCompany(tx, { workspaceId, id });
    if ((await tx.companyDomain.count({ where: { workspaceId, companyId: id } })) >= DOMAINS_MAX) {
      throw invalid({ domain: [`A company can have up to ${DOMAINS_MAX} domains. Remove one first.`] });
    }
    const { count } = await tx.companyDomain.createMany({
      data: { workspaceId, domain, companyId: id },
      skipDuplicates: true,
    });
    if (count === 0) await refuseOtherOwner(tx, { workspaceId, id, domain });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return { domain };
  });
}

/**
 * Removes a domain from a company, if it has the domain. Contacts keep their company.
 * @throws Refusal when there is no such company
 */
export async function removeCompanyDomain({ workspaceId, id, domain }: Domain): Promise<void> {
  await inTransaction(async (tx) => {
    await lockCompany(tx, { workspaceId, id });
    await tx.companyDomain.deleteMany({ where: { workspaceId, companyId: id, domain } });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** @throws Refusal that names the company with the domain, unless it is this company */
async function refuseOtherOwner(tx: Tx, { workspaceId, id, domain }: Domain): Promise<void> {
  const owner = await tx.companyDomain.findUnique({
    where: { workspaceId_domain: { workspaceId, domain } },
    select: { companyId: true, company: { select: { name: true } } },
  });
  if (owner?.companyId === id) return;
  const whose = owner ? owner.company.name : 'another company';
  throw invalid({ domain: [`The domain ${domain} already belongs to ${whose}. Remove it there first.`] });
}
