import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/** So many conversations lose it in one transaction, so that none holds its locks for long. */
const BATCH = 1_000;

type Which = { workspaceId: string; mailboxId: string };

/**
 * Removes a mailbox. Its conversations stay and are answered from the default one from then on
 * (`findMailbox`). Their timelines are left as they are; the audit list records the removal. Most of many
 * conversations lose the mailbox before the transaction in which it goes: that one takes the rest and is
 * short. Broken off in between, those are answered from the default one already.
 * @throws Refusal when `by` is neither owner nor admin, there is no such mailbox, or it is the default one or the last
 */
export async function removeMailbox(given: Which & { by: Teammate }): Promise<void> {
  const { workspaceId, mailboxId: id, by } = given;
  if (!isUuid(id)) throw notFound('The mailbox');
  await asManager(given, (tx) => requireRemovable(tx, given));
  while ((await inTransaction((tx) => detach(tx, given, BATCH))) === BATCH);
  await asManager(given, async (tx) => {
    const address = await requireRemovable(tx, given);
    await detach(tx, given, null);
    await tx.mailbox.deleteMany({ where: { id, workspaceId } });
    await addAuditEntry(tx, { workspaceId, kind: 'mailbox_removed', by, data: { address } });
  });
}

/**
 * The mailbox's address. From here on no conversation begins in it until the transaction ends.
 * @throws Refusal when it cannot be removed
 */
async function requireRemovable(tx: Tx, { workspaceId, mailboxId }: Which): Promise<string> {
  const [found] = await tx.$queryRaw<{ address: string; isDefault: boolean; isOnly: boolean }[]>`
    select address, is_default as "isDefault", not exists (
      select from mailboxes other where other.workspace_id = m.workspace_id and other.id <> m.id) as "isOnly"
    from mailboxes m where workspace_id = ${workspaceId}::uuid and id = ${mailboxId}::uuid for update`;
  if (!found) throw notFound('The mailbox');
  const { address, isDefault, isOnly } = found;
  if (isOnly) {
    const sentence = `${address} is the only mailbox. Add another one and make it the default first.`;
    throw invalid({ mailbox: [sentence] });
  }
  if (isDefault) {
    const sentence = `New conversations are sent from ${address}. Make another mailbox the default, then remove it.`;
    throw invalid({ mailbox: [sentence] });
  }
  return address;
}

/** Takes the mailbox from conversations that have it, from `limit` at most (null: from all). Returns from how many. */
function detach(tx: Tx, { workspaceId, mailboxId }: Which, limit: number | null): Promise<number> {
  return tx.$executeRaw`
    update conversations set mailbox_id = null where id in (
      select id from conversations
      where workspace_id = ${workspaceId}::uuid and mailbox_id = ${mailboxId}::uuid
      order by id limit ${limit}::int for no key update)`;
}
