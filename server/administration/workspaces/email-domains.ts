import { validate as isUuid } from 'uuid';
import { parseDomain } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { type TextResolver, textRecordProblem } from '#server/core/mail/dns-text-records.ts';
import { newSecret } from '#server/core/secrets.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';
import { asManager } from '#server/teammates/require-role.ts';
import { NO_CHANNELS_IN_TEST, refuseInTestWorkspace } from '#server/teammates/test-workspaces.ts';

/** Maximum number of email domains per workspace. Each is checked repeatedly. */
export const DOMAINS_MAX = 20;
const TOO_MANY = `A workspace can have up to ${DOMAINS_MAX} email domains. Remove one first.`;

/**
 * Adds an unverified email domain to a workspace. Several workspaces can add the same domain: each verifies
 * it with a separate record.
 * @returns its id
 * @throws Refusal when `by` is neither owner nor admin, the plan sends no email, the domain is invalid or a
 * duplicate, or the workspace has `DOMAINS_MAX` domains
 */
export async function addDomain(input: {
  workspaceId: string;
  domain: string;
  by: Teammate;
}): Promise<{ id: string }> {
  const { workspaceId } = input;
  const domain = parseDomain(input.domain);
  try {
    return await asManager(input, async (tx) => {
      const { plan } = await tx.workspace.findUniqueOrThrow({
        where: { id: workspaceId },
        select: { plan: true },
      });
      refuseWithoutEmail(plan);
      await refuseInTestWorkspace(tx, workspaceId, NO_CHANNELS_IN_TEST);
      if ((await tx.emailDomain.count({ where: { workspaceId } })) >= DOMAINS_MAX)
        throw invalid({ domain: [TOO_MANY] });
      return tx.emailDomain.create({
        data: { workspaceId, domain, verificationToken: newVerificationText() },
        select: { id: true },
      });
    });
  } catch (error) {
    if (isUniqueViolation(error))
      throw invalid({ domain: [`The domain ${domain} is already in this workspace.`] });
    throw error;
  }
}

/** @throws Refusal that names the plan with email sending */
function refuseWithoutEmail(plan: Plan): void {
  if (PLANS[plan].emailSending) return;
  throw new Refusal('plan', `Sending email needs the ${lowestPlanWith('emailSending')} plan or higher.`);
}

const TOO_MANY_CHECKS = 'The domain was checked too often. Wait a minute and try again.';

/** Result of the DNS lookup. `not_verified` is not a refusal, as the record may not have been published yet. */
type Verification = { kind: 'verified' } | { kind: 'not_verified'; message: string };

/**
 * Looks up the DNS record of a workspace's email domain and marks the domain as verified when the record is
 * right. From then on email can be sent from its mailboxes. A verified domain stays verified. No transaction
 * is open during the lookup.
 * @throws Refusal when `by` is neither owner nor admin, there is no such domain, the plan sends no email, or
 * after 30 lookups a minute
 */
export async function verifyDomain(
  resolver: TextResolver,
  which: { workspaceId: string; domainId: string; by: Teammate },
): Promise<Verification> {
  const { workspaceId, domainId: id, by } = which;
  const found = isUuid(id)
    ? await db().emailDomain.findFirst({
        where: { id, workspaceId },
        select: {
          domain: true,
          verificationToken: true,
          verifiedAt: true,
          workspace: { select: { plan: true } },
        },
      })
    : null;
  if (!found) throw notFound('The domain');
  if (found.verifiedAt) return { kind: 'verified' };
  refuseWithoutEmail(found.workspace.plan);
  if (!(await consumeLimit('domain_check', workspaceId)).allowed)
    throw new Refusal('forbidden', TOO_MANY_CHECKS);
  const { name, value } = domainRecord(found);
  const problem = await textRecordProblem(resolver, {
    name,
    domain: found.domain,
    isRight: (text) => text === value,
  });
  if (problem) return { kind: 'not_verified', message: problem };

  const { domain, verificationToken } = found;
  await asManager(which, async (tx) => {
    const { count } = await tx.emailDomain.updateMany({
      where: { id, workspaceId, verificationToken, verifiedAt: null },
      data: { verifiedAt: new Date() },
    });
    if (count === 1) {
      await addAuditEntry(tx, { workspaceId, kind: 'domain_verified', by, data: { domain } });
    } else if ((await tx.emailDomain.count({ where: { id, workspaceId } })) === 0) {
      throw notFound('The domain');
    }
  });
  return { kind: 'verified' };
}

/**
 * Removes an email domain without mailboxes from a workspace. Conversations are answered from mailboxes, so a
 * domain with mailboxes stays.
 * @throws Refusal when `by` is neither owner nor admin, there is no such domain, or it has mailboxes
 */
export async function removeDomain(which: {
  workspaceId: string;
  domainId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, domainId: id, by } = which;
  await asManager(which, async (tx) => {
    const found = isUuid(id)
      ? await tx.emailDomain.findFirst({
          where: { id, workspaceId },
          select: { domain: true, _count: { select: { mailboxes: true } } },
        })
      : null;
    if (!found) throw notFound('The domain');
    const { domain } = found;
    if (found._count.mailboxes > 0) {
      throw invalid({ domain: [`The domain ${domain} has mailboxes. Remove them first.`] });
    }
    await tx.emailDomain.deleteMany({ where: { id, workspaceId } });
    await addAuditEntry(tx, { workspaceId, kind: 'domain_removed', by, data: { domain } });
  });
}

/** The DNS record that proves the ownership of a domain. */
type DomainRecord = { type: 'TXT'; name: string; value: string };

/** Dedicated label, so that the record collides with no other record or CNAME of the domain. */
const LABEL = '_inbox-verification';
const PREFIX = 'inbox-verification=';

/** Returns the text that the DNS record of a new domain must have. */
export function newVerificationText(): string {
  return PREFIX + newSecret();
}

/** Returns the DNS record that verifies a domain. */
export function domainRecord({
  domain,
  verificationToken,
}: {
  domain: string;
  verificationToken: string;
}): DomainRecord {
  return { type: 'TXT', name: `${LABEL}.${domain}`, value: verificationToken };
}
