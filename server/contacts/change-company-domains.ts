import { lockCompany } from '#server/contacts/name-company.ts';
import { isPublicMailProvider } from '#server/contacts/public-mail-providers.ts';
import { parseDomain } from '#server/contract/parse-email.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';

/** Domains of a company. */
export const DOMAINS_MAX = 50;

const NO_DOMAIN = 'Enter the domain of their email addresses, for example example.com.';

type Domain = { workspaceId: string; id: string; domain: string };

/**
 * Gives a company a domain: contacts who come from now on with an address of it belong to the company. One that the
 * company has already changes nothing. Those who are there already are another step: `linkContacts`.
 * @returns the domain as it is kept
 * @throws Refusal when it is no domain, anyone can have an address of it, another company has it, there are 50 of
 * them, or there is no such company
 */
export async function addCompanyDomain(given: Domain): Promise<{ domain: string }> {
  const { workspaceId, id } = given;
  const domain = parseDomain(given.domain, NO_DOMAIN);
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
    if (count === 0) await refuseOthers(tx, { workspaceId, id, domain });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return { domain };
  });
}

/**
 * Takes a domain from a company; one that it has not stays away. Contacts keep their company.
 * @throws Refusal when there is no such company
 */
export async function removeCompanyDomain({ workspaceId, id, domain }: Domain): Promise<void> {
  await inTransaction(async (tx) => {
    await lockCompany(tx, { workspaceId, id });
    await tx.companyDomain.deleteMany({ where: { workspaceId, companyId: id, domain } });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** @throws Refusal that names the company which has the domain, unless it is this one */
async function refuseOthers(tx: Tx, { workspaceId, id, domain }: Domain): Promise<void> {
  const owner = await tx.companyDomain.findUnique({
    where: { workspaceId_domain: { workspaceId, domain } },
    select: { companyId: true, company: { select: { name: true } } },
  });
  if (owner?.companyId === id) return;
  const whose = owner ? owner.company.name : 'another company';
  throw invalid({ domain: [`The domain ${domain} already belongs to ${whose}. Remove it there first.`] });
}
