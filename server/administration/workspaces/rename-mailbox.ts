import { validate as isUuid } from 'uuid';
import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { notFound } from '#server/core/errors.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/**
 * Renames a mailbox: contacts see the name as the sender of what has no author.
 * @throws Refusal when `by` is neither owner nor admin, there is no such mailbox, or the name is not possible
 */
export async function renameMailbox(given: {
  workspaceId: string;
  mailboxId: string;
  name: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, mailboxId: id, by } = given;
  const name = parseName(given.name, { field: 'name', label: 'mailbox name' });
  if (!isUuid(id)) throw notFound('The mailbox');
  await asManager(given, async (tx) => {
    const [mailbox] = await tx.mailbox.updateManyAndReturn({
      where: { id, workspaceId },
      data: { name },
      select: { address: true },
    });
    if (!mailbox) throw notFound('The mailbox');
    const data = { address: mailbox.address, name };
    await addAuditEntry(tx, { workspaceId, kind: 'mailbox_renamed', by, data });
  });
}
