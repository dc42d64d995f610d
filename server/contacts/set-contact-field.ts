import { validate as isUuid } from 'uuid';
import { findMergedInto } from '#server/contacts/contact-alias.ts';
import { lockField } from '#server/contacts/custom-fields.ts';
import { parseFieldValue, valueStatement } from '#server/contacts/field-values.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';

type Change = {
  workspaceId: string;
  /** Any text; an id that is not a UUID matches no contact. The id of a merged contact is an alias. */
  id: string;
  fieldId: string;
  /** As typed. An empty text empties the field. */
  value: string;
};

/**
 * Sets a contact's value of a custom field. The last one of simultaneous changes remains. Emits no event: custom fields are not part of
 * the platform's contract.
 * @throws Refusal when the workspace has no such contact or field, or the value is not of the field's type
 */
export async function setContactField({ workspaceId, id, fieldId, value: typed }: Change): Promise<void> {
  if (!isUuid(id)) throw notFound('The contact');
  await inTransaction(async (tx) => {
    const field = await lockField(tx, { workspaceId, fieldId, subject: 'contact' });
    const value = parseFieldValue(field, typed);
    const lock = (contactId: string) => tx.$queryRaw<{ id: string }[]>`
      select id from contacts where workspace_id = ${workspaceId}::uuid and id = ${contactId}::uuid for no key update`;
    let [contact] = await lock(id);
    // An alias can be merged on, but never back.
    if (!contact) [contact] = await lock((await findMergedInto(tx, { workspaceId, id })) ?? id);
    if (!contact) throw notFound('The contact');
    const owner = { workspaceId, subject: 'contact' as const, ownerId: contact.id };
    await tx.$executeRaw(valueStatement(owner, { field, value, now: new Date() }));
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}
