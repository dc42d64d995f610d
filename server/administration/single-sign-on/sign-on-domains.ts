import { validate as isUuid } from 'uuid';
import { domainRecord, newVerificationText } from '#server/administration/workspaces/email-domains.ts';
import { parseDomain } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { publish } from '#server/core/live/publish.ts';
import { type TextResolver, textRecordProblem } from '#server/core/mail/dns-text-records.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asOwner } from '#server/teammates/require-role.ts';
import { refuseInTestWorkspace } from '#server/teammates/test-workspaces.ts';

/** Maximum number of domains for single sign-on per workspace. */
const SIGN_ON_DOMAINS_MAX = 20;

const IN_TEST = 'A test workspace has the single sign-on of its own workspace.';
const TOO_MANY = `A workspace can have up to ${SIGN_ON_DOMAINS_MAX} domains for single sign-on. Remove one first.`;
const TOO_MANY_CHECKS = 'The domain was checked too often. Wait a minute and try again.';

/**
 * Adds a domain whose people may sign in through the provider of a workspace, once it is verified. Several workspaces can add the same
 * domain. One that the workspace has verified for email is verified already.
 * @throws Refusal unless `by` is an owner, or when the domain is invalid or a duplicate
 */
export async function addSignOnDomain(input: {
  workspaceId: string;
  domain: string;
  by: Teammate;
}): Promise<{ isVerified: boolean }> {
  const { workspaceId, by } = input;
  const domain = parseDomain(input.domain);
  try {
    return await asOwner(input, async (tx) => {
      await refuseInTestWorkspace(tx, workspaceId, IN_TEST);
      if ((await tx.signOnDomain.count({ where: { workspaceId } })) >= SIGN_ON_DOMAINS_MAX)
        throw invalid({ domain: [TOO_MANY] });
      const forEmail = await tx.emailDomain.findUnique({
        where: { workspaceId_domain: { workspaceId, domain } },
        select: { verifiedAt: true },
      });
      const verifiedAt = forEmail?.verifiedAt ? new Date() : null;
      await tx.signOnDomain.create({
        data: { workspaceId, domain, verificationToken: newVerificationText(), verifiedAt },
        select: { id: true },
      });
      if (verifiedAt)
        await addAuditEntry(tx, { workspaceId, kind: 'sign_on_domain_verified', by, data: { domain } });
      return { isVerified: verifiedAt !== null };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ domain: [`The domain ${domain} is in the list already.`] });
    throw error;
  }
}

/**
 * Looks up the DNS record of a domain and marks the domain as verified when the record is right. No transaction is open meanwhile.
 * @returns null when it is verified, else a sentence about the records
 * @throws Refusal unless `by` is an owner, when there is no such domain, or after 30 lookups a minute
 */
export async function verifySignOnDomain(
  resolver: TextResolver,
  which: { workspaceId: string; domainId: string; by: Teammate },
): Promise<string | null> {
  const { workspaceId, domainId: id, by } = which;
  const found = isUuid(id) ? await db().signOnDomain.findFirst({ where: { id, workspaceId } }) : null;
  if (!found) throw notFound('The domain');
  const { domain, verificationToken } = found;
  if (found.verifiedAt) return null;
  if (!(await consumeLimit('domain_check', workspaceId)).allowed)
    throw new Refusal('forbidden', TOO_MANY_CHECKS);
  const { name, value } = domainRecord({ domain, verificationToken });
  const problem = await textRecordProblem(resolver, { name, domain, isRight: (text) => text === value });
  if (problem) return problem;
  await asOwner(which, async (tx) => {
    const { count } = await tx.signOnDomain.updateMany({
      where: { id, workspaceId, verifiedAt: null },
      data: { verifiedAt: new Date() },
    });
    if (count === 0) return;
    await addAuditEntry(tx, { workspaceId, kind: 'sign_on_domain_verified', by, data: { domain } });
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
  return null;
}

/** Removes a domain. Its people sign in as before. Their sessions stay. @throws Refusal unless `by` is an owner */
export async function removeSignOnDomain(which: {
  workspaceId: string;
  domainId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, domainId: id, by } = which;
  await asOwner(which, async (tx) => {
    const found = isUuid(id)
      ? await tx.signOnDomain.findFirst({ where: { id, workspaceId }, select: { domain: true } })
      : null;
    if (!found) throw notFound('The domain');
    await tx.signOnDomain.delete({ where: { id }, select: { id: true } });
    await addAuditEntry(tx, { workspaceId, kind: 'sign_on_domain_removed', by, data: found });
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
}
