import { validate as isUuid } from 'uuid';
import { changeChoices, writeChoices } from '#server/administration/fields/change-choices.ts';
import {
  parseChoices,
  parseFieldName,
  type TypedChoice,
} from '#server/administration/fields/parse-field-names.ts';
import { startRemovingValues } from '#server/administration/fields/remove-field-values.ts';
import { FIELDS_MAX } from '#server/contacts/custom-fields.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { CustomField } from '#server/generated/prisma/client.ts';
import type { FieldSubject, FieldType } from '#server/generated/prisma/enums.ts';
import { replaceFieldVariable } from '#server/inbox/saved-replies/field-variables.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

type By = { workspaceId: string; by: Teammate };

/**
 * Creates a field, the last one of its subject.
 * @param field.choices only for the type `choice`
 * @throws Refusal when `by` is neither owner nor admin, a name is invalid or in use, or there are `FIELDS_MAX` fields
 */
export async function createField(
  field: By & { subject: FieldSubject; type: FieldType; name: string; choices: TypedChoice[] },
): Promise<{ id: string }> {
  const { workspaceId, by, subject, type } = field;
  const name = parseFieldName(field.name, subject);
  const typed = field.choices.map((choice) => ({ name: choice.name }));
  const choices = type === 'choice' ? parseChoices(typed) : [];
  return asManager({ workspaceId, by }, async (tx) => {
    await refuseTaken(tx, { workspaceId, subject, name });
    const present = await tx.customField.aggregate({
      where: { workspaceId, subject, deletedAt: null },
      _count: true,
      _max: { position: true },
    });
    if (present._count >= FIELDS_MAX) {
      const message = `A workspace can have up to ${FIELDS_MAX} fields for ${subject}s. Delete one first.`;
      throw invalid({ name: [message] });
    }
    const position = (present._max.position ?? -1) + 1;
    const { id } = await tx.customField.create({
      data: { workspaceId, subject, type, name, position },
      select: { id: true },
    });
    await writeChoices(tx, { workspaceId, fieldId: id, choices });
    await addAuditEntry(tx, { workspaceId, kind: 'field_created', by, data: { fieldName: name, subject } });
    afterCommit(tx, () => publish(workspaceId, 'access'));
    return { id };
  });
}

/**
 * Renames a field, also in saved replies, and its choices, adds choices and removes some. Values keep a renamed choice and lose a removed one. A choice that
 * the change does not name, because somebody added it in the meantime, remains at the end.
 * @param change.choices in their new order; only for the type `choice`
 * @throws Refusal when `by` is neither owner nor admin, there is no such field, a name is invalid or in use, or no choice would be left
 */
export async function updateField(
  change: By & { id: string; name: string; choices: TypedChoice[]; removedChoiceIds: string[] },
): Promise<void> {
  const { workspaceId, by, id } = change;
  await asManager({ workspaceId, by }, async (tx) => {
    const field = await lockForUpdate(tx, { workspaceId, id });
    const { subject } = field;
    const name = parseFieldName(change.name, subject);
    if (name !== field.name) {
      await refuseTaken(tx, { workspaceId, subject, name, except: id });
      await tx.customField.update({ where: { id }, data: { name }, select: { id: true } });
      await replaceFieldVariable(tx, { workspaceId, subject, name: field.name }, name);
      const data = { from: field.name, to: name, subject };
      await addAuditEntry(tx, { workspaceId, kind: 'field_renamed', by, data });
    }
    if (field.type === 'choice' && (await changeChoices(tx, { ...change, fieldId: id }))) {
      const data = { fieldName: name, subject };
      await addAuditEntry(tx, { workspaceId, kind: 'field_choices_changed', by, data });
    }
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

/**
 * Moves a field before or after its neighbour. The first one does not move up, and the last one not down.
 * @throws Refusal when `by` is neither owner nor admin, or there is no such field
 */
export async function moveField(change: By & { id: string; to: 'up' | 'down' }): Promise<void> {
  const { workspaceId, by, id, to } = change;
  await asManager({ workspaceId, by }, async (tx) => {
    const { subject } = await lockForUpdate(tx, { workspaceId, id });
    const fields = await tx.customField.findMany({
      where: { workspaceId, subject, deletedAt: null },
      orderBy: [{ position: 'asc' }, { id: 'asc' }],
      select: { id: true },
    });
    const ids = fields.map((field) => field.id);
    const from = ids.indexOf(id);
    const at = to === 'up' ? from - 1 : from + 1;
    const other = ids[at];
    if (other === undefined) return;
    ids[at] = id;
    ids[from] = other;
    await tx.$executeRaw`
      update custom_fields f set position = o.position - 1
      from unnest(${ids}::uuid[]) with ordinality o (id, position) where f.id = o.id`;
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

/**
 * Deletes a field. It disappears immediately, and its name is free. Saved replies keep the fallback of its variable. Its values are removed now and in a job.
 * @throws Refusal when `by` is neither owner nor admin, or there is no such field
 */
export async function deleteField({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const { name, subject } = await lockForUpdate(tx, { workspaceId, id });
    await tx.customField.update({ where: { id }, data: { deletedAt: new Date() }, select: { id: true } });
    await startRemovingValues(tx, id);
    await replaceFieldVariable(tx, { workspaceId, subject, name }, null);
    await addAuditEntry(tx, { workspaceId, kind: 'field_deleted', by, data: { fieldName: name, subject } });
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

/** Locks a field. A transaction that sets one of its values waits, and then sees the field as this one leaves it. */
async function lockForUpdate(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<CustomField> {
  if (!isUuid(id)) throw notFound('The field');
  await tx.$executeRaw`select from custom_fields where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid for update`;
  const field = await tx.customField.findFirst({ where: { workspaceId, id, deletedAt: null } });
  if (!field) throw notFound('The field');
  return field;
}

/** The caller holds the workspace lock, so that nobody takes the name in the meantime. */
async function refuseTaken(
  tx: Tx,
  which: { workspaceId: string; subject: FieldSubject; name: string; except?: string },
): Promise<void> {
  const { workspaceId, subject, name, except = null } = which;
  const [taken] = await tx.$queryRaw<{ name: string }[]>`
    select name from custom_fields
    where workspace_id = ${workspaceId}::uuid and subject = ${subject}::field_subject and deleted_at is null
      and lower(name) = lower(${name}) and id is distinct from ${except}::uuid`;
  if (taken) throw invalid({ name: [`There is already a ${subject} field called ${taken.name}.`] });
}
