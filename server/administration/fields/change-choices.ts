import { v7 as uuidv7 } from 'uuid';
import { parseChoices, type TypedChoice } from '#server/administration/fields/parse-field-names.ts';
import { startRemovingValues } from '#server/administration/fields/remove-field-values.ts';
import type { Tx } from '#server/core/database/prisma.ts';

type Field = { workspaceId: string; fieldId: string };

/** Changes the choices of a locked field. Returns whether anything changes. */
export async function changeChoices(
  tx: Tx,
  change: Field & { choices: TypedChoice[]; removedChoiceIds: string[] },
): Promise<boolean> {
  const { workspaceId, fieldId, removedChoiceIds } = change;
  const present = await tx.fieldChoice.findMany({
    where: { fieldId, deletedAt: null },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true },
  });
  const removed = present.filter(({ id }) => removedChoiceIds.includes(id)).map(({ id }) => id);
  const remaining = present.filter(({ id }) => !removed.includes(id));
  // A choice that somebody else removed in the meantime stays removed.
  const sent = change.choices.filter(({ id }) => id === undefined || remaining.some((one) => one.id === id));
  const unnamed = remaining.filter(({ id }) => !sent.some((one) => one.id === id));
  const choices = parseChoices([...sent, ...unnamed]);
  const isSame =
    choices.length === present.length &&
    choices.every(({ id, name }, at) => id === present[at]?.id && name === present[at]?.name);
  if (isSame) return false;
  if (removed.length > 0) {
    await tx.fieldChoice.updateMany({ where: { id: { in: removed } }, data: { deletedAt: new Date() } });
    await startRemovingValues(tx, fieldId);
  }
  await writeChoices(tx, { workspaceId, fieldId, choices });
  return true;
}

/** Writes the names of a field's choices in their order. Those without an id are new. */
export async function writeChoices(
  tx: Tx,
  { workspaceId, fieldId, choices }: Field & { choices: TypedChoice[] },
): Promise<void> {
  // Frees the names first: two choices can swap theirs.
  await tx.$executeRaw`update field_choices set name = id::text where field_id = ${fieldId}::uuid and deleted_at is null`;
  const rows = JSON.stringify(choices.map(({ id = uuidv7(), name }, position) => ({ id, name, position })));
  await tx.$executeRaw`
    insert into field_choices (id, workspace_id, field_id, name, position)
    select id, ${workspaceId}::uuid, ${fieldId}::uuid, name, position
    from jsonb_to_recordset(${rows}::jsonb) as c (id uuid, name text, position int)
    on conflict (id) do update set name = excluded.name, position = excluded.position`;
}
