import { newVerificationText } from '#server/administration/workspaces/domain-record.ts';
import { parseDomain } from '#server/contract/parse-domain.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { isUniqueViolation } from '#server/core/database/is-unique-violation.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';
import { requireManager } from '#server/teammates/require-role.ts';

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
export function refuseWithoutEmail(plan: Plan): void {
  if (PLANS[plan].emailSending) return;
  throw new Refusal('plan', `Sending email needs the ${lowestPlanWith('emailSending')} plan or higher.`);
}
