import { type CustomField, listFields } from '#server/contacts/custom-fields.ts';
import { describeFieldValue, type FieldValues } from '#server/contacts/field-values.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { FieldSubject } from '#server/generated/prisma/enums.ts';
import { fieldKey, replaceVariables, VARIABLES } from '#server/inbox/saved-replies/fill-variables.ts';

/** Returns the name of a custom field's variable, and what it stands for. */
export function fieldVariable({ subject, name }: Pick<CustomField, 'subject' | 'name'>) {
  return { name: `${subject}.${name}`, about: `${name} of the ${subject}` };
}

/** Returns all variables of a workspace by their keys, with what they stand for. */
export function variablesOf(fields: CustomField[]): Map<string, string> {
  const ofFields = fields.map(
    (field) => [fieldKey(field.subject, field.name), fieldVariable(field).about] as const,
  );
  return new Map<string, string>([...Object.entries(VARIABLES), ...ofFields]);
}

/** Returns the values of custom fields by the keys of their variables. */
export function fieldVariableValues(
  fields: CustomField[],
  values: Record<FieldSubject, FieldValues>,
): [key: string, value: string | null][] {
  return fields.map((field) => {
    const value = values[field.subject][field.id];
    return [
      fieldKey(field.subject, field.name),
      value === undefined ? null : describeFieldValue(field, value),
    ];
  });
}

/** Returns the keys of the variables that a saved reply may use now. */
export async function knownVariables(tx: SqlDb, workspaceId: string): Promise<Map<string, string>> {
  return variablesOf(await listFields(tx, workspaceId));
}

type Which = { workspaceId: string; subject: FieldSubject; name: string };

/**
 * Writes the new name of a field into the saved replies that use it, also private ones. Null for a deleted field: its fallback, or
 * nothing, remains. The caller holds the lock of the workspace, as everyone does who changes a saved reply.
 */
export async function replaceFieldVariable(tx: Tx, which: Which, to: string | null): Promise<void> {
  for (const { id, content } of await findUses(tx, which)) {
    const replaced = replaceVariables(content, keyOf(which), ({ fallback, hasFallback }) => {
      if (to === null) return fallback;
      return `{{${which.subject}.${to}${hasFallback ? `|${fallback}` : ''}}}`;
    });
    await tx.savedReply.update({ where: { id }, data: { content: replaced }, select: { id: true } });
  }
}

/** Returns the saved replies that use a field, also private ones. */
export async function findUses(tx: SqlDb, which: Which): Promise<{ id: string; content: string }[]> {
  const found = await tx.$queryRaw<{ id: string; content: string }[]>`
    select id, content from saved_replies
    where workspace_id = ${which.workspaceId}::uuid and strpos(content, '{{') > 0 order by id`;
  return found.filter(({ content }) => {
    let isUsed = false;
    replaceVariables(content, keyOf(which), () => {
      isUsed = true;
      return '';
    });
    return isUsed;
  });
}

function keyOf({ subject, name }: Which): ReadonlySet<string> {
  return new Set([fieldKey(subject, name)]);
}
