import { validate as isUuid } from 'uuid';
import { parseDomain } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { type TextResolver, textRecordProblem } from '#server/core/mail/dns-text-records.ts';
import { newSecret } from '#server/core/secrets.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';
import { lockWorkspace, requireManager } from '#server/teammates/require-role.ts';

/** Email domains of a workspace: each is looked up again and again. */
export const DOMAINS_MAX = 20;
const TOO_MANY = `A workspace can have up to ${DOMAINS_MAX} email domains. Remove one first.`;

/**
 * Adds an email domain to a workspace, still to be verified. Several workspaces may have the same one: each verifies
 * it with a record of its own.
 * @returns its id
 * @throws Refusal when `by` is neither owner nor admin, the plan sends no email, it is no domain, is there already, or
 * would
 *   be one more than `DOMAINS_MAX`
 */
export async function addDomain(given: {
  workspaceId: string;
  domain: string;
  by: Teammate;
}): Promise<{ id: string }> {
  const { workspaceId, by } = given;
  const domain = parseDomain(given.domain);
  try {
    return await inTransaction(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireManager(tx, { workspaceId, userId: by.id });
      const { plan } = await tx.workspace.findUniqueOrThrow({
        where: { id: workspaceId },
        select: { plan: true },
      });
      refuseWithoutEmail(plan);
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

/** @throws Refusal that names the plan which includes sending email */
function refuseWithoutEmail(plan: Plan): void {
  if (PLANS[plan].emailSending) return;
  throw new Refusal('plan', `Sending email needs the ${lowestPlanWith('emailSending')} plan or higher.`);
}

const TOO_MANY_CHECKS = 'The domain was checked too often. Wait a minute and try again.';

/** What the look-up found. Not verified is no refusal: it may only be too early. */
type Verification = { kind: 'verified' } | { kind: 'not_verified'; message: string };

/**
 * Looks up whether the record of a workspace's email domain is there, and if so, marks the domain as verified: from now
 * on email leaves from its mailboxes. A domain that is verified stays so. No transaction is open while it is looked up.
 * @throws Refusal when `by` is neither owner nor admin, there is no such domain, the plan sends no email, or past 30
 *   look-ups a minute
 */
export async function verifyDomain(
  resolver: TextResolver,
  given: { workspaceId: string; domainId: string; by: Teammate },
): Promise<Verification> {
  const { workspaceId, domainId: id, by } = given;
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
  if (!(await takeFrom('domain_check', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY_CHECKS);
  const { name, value } = domainRecord(found);
  const problem = await textRecordProblem(resolver, {
    name,
    domain: found.domain,
    isRight: (text) => text === value,
  });
  if (problem) return { kind: 'not_verified', message: problem };

  const { domain, verificationToken } = found;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
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
 * Removes an email domain from a workspace. One with mailboxes stays: conversations are answered from these.
 * @throws Refusal when `by` is neither owner nor admin, there is no such domain, or it has mailboxes
 */
export async function removeDomain(given: {
  workspaceId: string;
  domainId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, domainId: id, by } = given;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
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

/** What the owner of a domain puts into its DNS to show that it is theirs. */
type DomainRecord = { type: 'TXT'; name: string; value: string };

/** A name of its own, so that the record meets neither others of the domain nor an alias of it. */
const LABEL = '_inbox-verification';
const PREFIX = 'inbox-verification=';

/** What is stored with a new domain: the text that its record is to hold. */
function newVerificationText(): string {
  return PREFIX + newSecret();
}

/** The record that verifies a domain. */
export function domainRecord({
  domain,
  verificationToken,
}: {
  domain: string;
  verificationToken: string;
}): DomainRecord {
  return { type: 'TXT', name: `${LABEL}.${domain}`, value: verificationToken };
}
