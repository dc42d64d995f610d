import { parseEmail } from '#server/contract/parse-email.ts';
import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { isUniqueViolation } from '#server/core/database/is-unique-violation.ts';
import { invalid } from '#server/core/errors.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

/** Mailboxes of a workspace: each is offered wherever someone writes. */
export const MAILBOXES_MAX = 100;
const TOO_MANY = `A workspace can have up to ${MAILBOXES_MAX} mailboxes. Remove one first.`;

/**
 * Adds a mailbox on a verified domain of the workspace: an address that contacts write to and are answered from. The
 * first one is the default. An address belongs to one workspace only, as incoming mail is routed by it.
 * @returns its id
 * @throws Refusal when `by` is neither owner nor admin, it is no address of a verified domain, it is taken, or it
 *   would be one more than `MAILBOXES_MAX`
 */
export async function addMailbox(given: {
  workspaceId: string;
  address: string;
  name: string;
  by: Teammate;
}): Promise<{ id: string }> {
  const { workspaceId, by } = given;
  const name = parseName(given.name, { field: 'name', label: 'mailbox name' });
  const address = parseEmail(given.address.trim());
  if (address === undefined) {
    throw invalid({ address: ['Enter a complete email address, for example support@example.com.'] });
  }
  try {
    return await inTransaction(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireManager(tx, { workspaceId, userId: by.id });
      const emailDomainId = await verifiedDomainOf(tx, { workspaceId, address });
      if ((await tx.mailbox.count({ where: { workspaceId } })) >= MAILBOXES_MAX) {
        throw invalid({ address: [TOO_MANY] });
      }
      const isDefault = (await tx.mailbox.count({ where: { workspaceId, isDefault: true } })) === 0;
      return tx.mailbox.create({
        data: { workspaceId, address, name, emailDomainId, isDefault },
        select: { id: true },
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ address: [`The address ${address} is already in use.`] });
    throw error;
  }
}

async function verifiedDomainOf(
  tx: Tx,
  { workspaceId, address }: { workspaceId: string; address: string },
): Promise<string> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const found = await tx.emailDomain.findUnique({
    where: { workspaceId_domain: { workspaceId, domain } },
    select: { id: true, verifiedAt: true },
  });
  if (found?.verifiedAt) return found.id;
  const todo = found
    ? 'is not verified yet. Verify it first'
    : 'is not in this workspace. Add and verify it first';
  throw invalid({ address: [`The domain ${domain} ${todo}.`] });
}
