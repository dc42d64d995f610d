import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

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
