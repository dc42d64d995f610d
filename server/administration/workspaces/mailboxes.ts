import { validate as isUuid } from 'uuid';
import { parseEmail } from '#server/contract/parse-email.ts';
import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** Maximum number of mailboxes per workspace, as senders are chosen from a list of them. */
export const MAILBOXES_MAX = 100;
const TOO_MANY = `A workspace can have up to ${MAILBOXES_MAX} mailboxes. Remove one first.`;

/**
 * Adds a mailbox on a verified domain of the workspace. The first mailbox becomes the default. An address
 * belongs to one workspace only, as incoming mail is routed by address.
 * @returns its id
 * @throws Refusal when `by` is neither owner nor admin, the address is not on a verified domain or is in use,
 * or the workspace has `MAILBOXES_MAX` mailboxes
 */
export async function addMailbox(input: {
  workspaceId: string;
  address: string;
  name: string;
  by: Teammate;
}): Promise<{ id: string }> {
  const { workspaceId } = input;
  const name = parseName(input.name, { field: 'name', label: 'mailbox name' });
  const address = parseEmail(input.address.trim());
  if (address === undefined) {
    throw invalid({ address: ['Enter a complete email address, for example support@example.com.'] });
  }
  try {
    return await asManager(input, async (tx) => {
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

/** Conversations per transaction, so that none holds its locks for long. */
const BATCH = 1_000;

type Which = { workspaceId: string; mailboxId: string };

/**
 * Removes a mailbox. From then on its conversations are answered from the default mailbox (`findMailbox`).
 * Their timelines stay unchanged; the audit log records the removal. Batches detach most of many
 * conversations first, so that the removing transaction stays short. After an interruption those
 * conversations already use the default mailbox.
 * @throws Refusal when `by` is neither owner nor admin, there is no such mailbox, or it is the default and
 * others exist
 */
export async function removeMailbox(which: Which & { by: Teammate }): Promise<void> {
  const { workspaceId, mailboxId: id, by } = which;
  if (!isUuid(id)) throw notFound('The mailbox');
  await asManager(which, (tx) => requireRemovable(tx, which));
  while ((await inTransaction((tx) => detach(tx, which, BATCH))) === BATCH);
  await asManager(which, async (tx) => {
    const address = await requireRemovable(tx, which);
    await detach(tx, which, null);
    await tx.mailbox.deleteMany({ where: { id, workspaceId } });
    await addAuditEntry(tx, { workspaceId, kind: 'mailbox_removed', by, data: { address } });
  });
}

/**
 * Locks the mailbox, so that no conversation starts in it until the transaction ends, and returns its
 * address.
 * @throws Refusal when the mailbox cannot be removed
 */
async function requireRemovable(tx: Tx, { workspaceId, mailboxId }: Which): Promise<string> {
  const [found] = await tx.$queryRaw<
    { address: string; isDefault: boolean; isOnly: boolean; isLimited: boolean }[]
  >`
    select address, is_default as "isDefault", not exists (
      select from mailboxes other where other.workspace_id = m.workspace_id and other.id <> m.id) as "isOnly",
      exists (select from limited_sources l where l.workspace_id = m.workspace_id and l.mailbox_id = m.id) as "isLimited"
    from mailboxes m where workspace_id = ${workspaceId}::uuid and id = ${mailboxId}::uuid for update`;
  if (!found) throw notFound('The mailbox');
  const { address, isDefault, isOnly, isLimited } = found;
  if (isDefault && !isOnly) {
    const sentence = `The default mailbox can’t be removed. Make another mailbox the default first.`;
    throw invalid({ mailbox: [sentence] });
  }
  // Its conversations will have no mailbox, so everyone would see them.
  if (isLimited) throw invalid({ mailbox: [LIMITED] });
  return address;
}

const LIMITED =
  'Only some teams see this mailbox. Under Settings > Visibility, let everyone see its conversations before you remove it.';

/** Detaches the mailbox from at most `limit` conversations (null: from all). Returns their number. */
function detach(tx: Tx, { workspaceId, mailboxId }: Which, limit: number | null): Promise<number> {
  return tx.$executeRaw`
    update conversations set mailbox_id = null where id in (
      select id from conversations
      where workspace_id = ${workspaceId}::uuid and mailbox_id = ${mailboxId}::uuid
      order by id limit ${limit}::int for no key update)`;
}

/**
 * Renames a mailbox. Contacts see the name as the sender of messages without an author.
 * @throws Refusal when `by` is neither owner nor admin, there is no such mailbox, or the name is invalid
 */
export async function renameMailbox(change: {
  workspaceId: string;
  mailboxId: string;
  name: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, mailboxId: id, by } = change;
  const name = parseName(change.name, { field: 'name', label: 'mailbox name' });
  if (!isUuid(id)) throw notFound('The mailbox');
  await asManager(change, async (tx) => {
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

/**
 * Sets the mailbox from which new conversations are sent (docs/spec.md §4.2, POST /conversations). A unique
 * index allows one default per workspace.
 * @throws Refusal when `by` is neither owner nor admin, or the workspace has no such mailbox
 */
export async function chooseDefaultMailbox(which: {
  workspaceId: string;
  mailboxId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, mailboxId: id } = which;
  if (!isUuid(id)) throw notFound('The mailbox');
  await asManager(which, async (tx) => {
    await tx.mailbox.updateMany({
      where: { workspaceId, isDefault: true, id: { not: id } },
      data: { isDefault: false },
    });
    const { count } = await tx.mailbox.updateMany({ where: { id, workspaceId }, data: { isDefault: true } });
    if (count === 0) throw notFound('The mailbox');
  });
}
