import { validate as isUuid } from 'uuid';
import { domainRecord } from '#server/administration/workspaces/domain-record.ts';
import { refuseWithoutEmail } from '#server/administration/workspaces/email-domains.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { notFound, Refusal } from '#server/core/errors.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { type TextResolver, textRecordProblem } from '#server/core/mail/dns-text-records.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

const TOO_MANY = 'The domain was checked too often. Wait a minute and try again.';

/** What the look-up found. Not verified is no refusal: it may only be too early. */
export type Verification = { kind: 'verified' } | { kind: 'not_verified'; message: string };

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
  if (!(await takeFrom('domain_check', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
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
