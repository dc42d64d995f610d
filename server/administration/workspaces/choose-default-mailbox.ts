import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

/**
 * Makes a mailbox the one from which new conversations are sent (spec.md §4.2, POST /conversations). The one before is
 * it no longer; an index of the database keeps it to one.
 * @throws Refusal when `by` is neither owner nor admin, or the workspace has no such mailbox
 */
export async function chooseDefaultMailbox(given: {
  workspaceId: string;
  mailboxId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, mailboxId: id, by } = given;
  if (!isUuid(id)) throw notFound('The mailbox');
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
    await tx.mailbox.updateMany({
      where: { workspaceId, isDefault: true, id: { not: id } },
      data: { isDefault: false },
    });
    const { count } = await tx.mailbox.updateMany({ where: { id, workspaceId }, data: { isDefault: true } });
    if (count === 0) throw notFound('The mailbox');
  });
}
