import { loadContactScope } from '#server/administration/privacy/contact-scope.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { contactSelect } from '#server/contacts/contact-record.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** Time in which an erasure can be stopped. */
const HOURS_TO_STOP = 24;

type Which = { workspaceId: string; contactId: string; by: Teammate };

/**
 * Schedules the erasure of a contact for an owner or admin who typed its name. Nothing is erased before `HOURS_TO_STOP`. Does
 * nothing when it is scheduled already.
 * @param request.contactId any text
 * @throws Refusal unless `by` is an owner or admin, the contact exists, and the name is typed as it looks
 */
export async function requestErasure(request: Which & { typed: string }): Promise<void> {
  const { workspaceId, by, typed } = request;
  await asManager(request, async (tx) => {
    const { contactId, contactName } = await lockContact(tx, request);
    if (asTyped(typed) !== asTyped(contactName))
      throw invalid({ typed: [`Type the name exactly as it is written: ${contactName}`] });
    const { count } = await tx.contactErasure.createMany({
      data: {
        contactId,
        workspaceId,
        requestedById: by.id,
        requestedByName: by.name,
        dueAt: new Date(Date.now() + HOURS_TO_STOP * 3_600_000),
      },
      skipDuplicates: true,
    });
    if (count === 0) return;
    const data = { contactId, contactName };
    await addAuditEntry(tx, { workspaceId, kind: 'contact_erasure_scheduled', by, data });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/**
 * Stops a scheduled erasure, so that nothing is erased. Does nothing when it was stopped already.
 * @throws Refusal unless `by` is an owner or admin, or when the erasure has begun
 */
export async function stopErasure(stop: Which): Promise<void> {
  const { workspaceId, by } = stop;
  await asManager(stop, async (tx) => {
    const { contactId, contactName } = await lockContact(tx, stop);
    const { count } = await tx.contactErasure.deleteMany({
      where: { workspaceId, contactId, startedAt: null },
    });
    if (count === 0) {
      if ((await tx.contactErasure.count({ where: { workspaceId, contactId } })) === 0) return;
      throw new Refusal('invalid', 'Too late to stop. Erasing this contact has begun.');
    }
    const data = { contactId, contactName };
    await addAuditEntry(tx, { workspaceId, kind: 'contact_erasure_stopped', by, data });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** Locks the contact, so that it is not merged before the transaction ends. */
async function lockContact(tx: Tx, which: Which): Promise<{ contactId: string; contactName: string }> {
  const { workspaceId } = which;
  const { contactId: id } = await loadContactScope(tx, which);
  await tx.$executeRaw`
    select from contacts where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid for no key update`;
  const contact = await tx.contact.findFirst({
    where: { workspaceId, id, isTest: false },
    select: contactSelect,
  });
  if (!contact) throw notFound('The contact');
  return { contactId: id, contactName: contactLabel({ ...contact, email: shownEmail(contact.email) }) };
}

/** Replaces what a teammate cannot see or type in a name, which can come from an email: composed accents, invisible characters, ’. */
function asTyped(name: string): string {
  const visible = name.normalize().replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  return visible.replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, ' ').trim();
}
