import { requireEmail } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
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
export async function addForm(form: { workspaceId: string; typed: string; by: Teammate }): Promise<string> {
  const { workspaceId, by } = form;
  const address = requireFormAddress(form.typed);
  await inTransaction(async (tx) => {
    const owner = await findAddressOwner(tx, { workspaceId, email: address });
    if (owner) throw invalid({ form: [`${address} ${OWNERS[owner]}`] });
    if ((await tx.emailForm.count({ where: { workspaceId, isForm: true } })) >= FORMS_MAX)
      throw invalid({ form: [`A workspace can list up to ${FORMS_MAX} forms. Remove one first.`] });
    const listed = await tx.$executeRaw`
      insert into email_forms (id, workspace_id, address) values (gen_random_uuid(), ${workspaceId}::uuid, ${address}::text)
      on conflict (workspace_id, address) do update set is_form = true where not email_forms.is_form`;
    if (listed > 0) await addAuditEntry(tx, { workspaceId, kind: 'form_added', by, data: { form: address } });
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
export async function removeForm(which: { workspaceId: string; id: string; by: Teammate }): Promise<void> {
  const { workspaceId, id, by } = which;
  await inTransaction(async (tx) => {
    const [removed] = await tx.$queryRaw<{ address: string }[]>`
      delete from email_forms where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and is_form returning address`;
    if (!removed) return;
    await addAuditEntry(tx, { workspaceId, kind: 'form_removed', by, data: { form: removed.address } });
  });
}

/** Maximum number of remembered answers of a workspace. The oldest one is forgotten first. */
const DECLINED_MAX = 1_000;

/** Remembers that a sender is no form, so that listing it is not offered again. Leaves a listed one unchanged. */
export async function declineForm(which: { workspaceId: string; address: string }): Promise<void> {
  const { workspaceId } = which;
  const address = requireFormAddress(which.address);
  await inTransaction(async (tx) => {
    await tx.emailForm.createMany({ data: { workspaceId, address, isForm: false }, skipDuplicates: true });
    await tx.$executeRaw`
      delete from email_forms where id in (
        select id from email_forms where workspace_id = ${workspaceId}::uuid and not is_form
        order by created_at desc, id offset ${DECLINED_MAX})`;
  });
}

/**
 * Returns SQL for the sender of a conversation that may be a form, and the person in Reply-To; null for none. The
 * contact's address was not refuted, and their newest email asks to answer one person at another domain. Somebody with the
 * same local part is the contact with a second address. Nothing is offered for a listed or declined sender.
 * @param conversation alias of `conversations`
 * @param contact alias of its contact
 */
export function offeredForm(conversation: 'c', contact: 'k'): Prisma.Sql {
  const c = Prisma.raw(conversation);
  const k = Prisma.raw(contact);
  return Prisma.sql`
    case when ${c}.channel = 'email' and not ${c}.contact_claimed and cardinality(${c}.reply_to) = 1
      and split_part(${k}.email, '@', 1) <> split_part(${c}.reply_to[1], '@', 1)
      and split_part(${k}.email, '@', 2) <> split_part(${c}.reply_to[1], '@', 2)
      and not exists (select from contact_identities ok
        where ok.workspace_id = ${c}.workspace_id and ok.contact_id = ${k}.id and ok.channel = 'email' and ok.external_id = ${c}.reply_to[1])
      and ${c}.removal is null and ${c}.merged_into_id is null
      and not exists (select from email_forms f where f.workspace_id = ${c}.workspace_id and f.address = ${k}.email)
      and not exists (select from users ou join members om on om.user_id = ou.id
        where ou.email = ${k}.email and om.workspace_id = ${c}.workspace_id)
    then json_build_object('address', ${k}.email, 'person', ${c}.reply_to[1]) end`;
}
