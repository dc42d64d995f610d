import { VALUE_TABLES } from '#server/contacts/field-values.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { findUses } from '#server/inbox/saved-replies/field-variables.ts';

/** `savedReplies`: how many use the variable of the field. */
type Counts = { savedReplies: number; values: number; choices: { id: string; count: number }[] };

/**
 * Counts the values of a field, and of each of its choices, up to one above `max`. Null when the workspace has no such field.
 * @param which.fieldId a UUID
 */
export async function countFieldValues(which: {
  workspaceId: string;
  fieldId: string;
  max: number;
}): Promise<Counts | null> {
  const { workspaceId, fieldId, max } = which;
  const field = await db().customField.findFirst({
    where: { workspaceId, id: fieldId, deletedAt: null },
    select: { subject: true, name: true },
  });
  if (!field) return null;
  const { table } = VALUE_TABLES[field.subject];
  const count = (where: Prisma.Sql) => Prisma.sql`(select count(*)::int from (
    select from ${table} v where v.field_id = ${fieldId}::uuid and ${where} limit ${max + 1}::int) few)`;
  const [found] = await sql().$queryRaw<Omit<Counts, 'savedReplies'>[]>`
    select ${count(Prisma.sql`true`)} as values, coalesce((
      select json_agg(json_build_object('id', c.id, 'count', ${count(Prisma.sql`v.choice_id = c.id`)}))
      from field_choices c where c.field_id = ${fieldId}::uuid and c.deleted_at is null), '[]') as choices`;
  const uses = await findUses(sql(), { workspaceId, ...field });
  return found ? { ...found, savedReplies: uses.length } : null;
}
