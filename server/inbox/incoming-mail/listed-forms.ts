import { requireEmail } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/** Maximum number of listed forms of a workspace. */
export const FORMS_MAX = 100;

const OWNERS = {
  mailbox: 'is one of your mailboxes. Its emails already start a conversation with the person in Reply-To.',
  teammate: 'belongs to a teammate.',
};

/**
 * Lists a sender as a form of a website: its emails are then from the person in Reply-To (docs/rulings.md 3.36). Leaves a listed
 * one unchanged.
 * @returns the address
 * @throws Refusal under `form` for an invalid address, one of the workspace or a teammate, and when the list is full
 */
export async function addForm(given: { workspaceId: string; typed: string; by: Teammate }): Promise<string> {
  const { workspaceId, by } = given;
  const address = requireFormAddress(given.typed);
  await inTransaction(async (tx) => {
    const owner = await findAddressOwner(tx, { workspaceId, email: address });
    if (owner) throw invalid({ form: [`${address} ${OWNERS[owner]}`] });
    if ((await tx.emailForm.count({ where: { workspaceId } })) >= FORMS_MAX)
      throw invalid({ form: [`A workspace can list up to ${FORMS_MAX} forms. Remove one first.`] });
    const { count } = await tx.emailForm.createMany({ data: { workspaceId, address }, skipDuplicates: true });
    if (count > 0) await addAuditEntry(tx, { workspaceId, kind: 'form_added', by, data: { form: address } });
  });
  return address;
}

function requireFormAddress(typed: string): string {
  try {
    return requireEmail(typed.trim());
  } catch {
    throw invalid({ form: ['Enter the email address that sends the form, for example web@example.com.'] });
  }
}

/** Removes a sender from the list. Does nothing if it is not listed. */
export async function removeForm(given: { workspaceId: string; id: string; by: Teammate }): Promise<void> {
  const { workspaceId, id, by } = given;
  await inTransaction(async (tx) => {
    const [removed] = await tx.$queryRaw<{ address: string }[]>`
      delete from email_forms where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid returning address`;
    if (!removed) return;
    await addAuditEntry(tx, { workspaceId, kind: 'form_removed', by, data: { form: removed.address } });
  });
}
