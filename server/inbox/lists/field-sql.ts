import { VALUE_TABLES } from '#server/contacts/field-values.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { FieldCondition } from '#server/inbox/lists/field-conditions.ts';

/**
 * Returns the condition that the conversation of an alias, or its contact, has a value as a condition says. A deleted field, and one of
 * another workspace, matches nothing. The subquery runs for each conversation and reads one value by the primary key.
 */
export function matchesField(
  alias: 'w' | 'c',
  { workspaceId, condition }: { workspaceId: string; condition: FieldCondition },
): Prisma.Sql {
  const { subject, fieldId, operator } = condition;
  const { table, owner } = VALUE_TABLES[subject];
  const ownerId = Prisma.raw(subject === 'contact' ? `${alias}.contact_id` : `${alias}.id`);
  return Prisma.sql`(
    (select f.deleted_at is null from custom_fields f where f.workspace_id = ${workspaceId}::uuid and f.id = ${fieldId}::uuid)
    and (select true from ${table} v where v.${owner} = ${ownerId} and v.field_id = ${fieldId}::uuid and ${holds(condition)}
      limit 1) is ${Prisma.raw(operator === 'empty' ? 'null' : 'true')})`;
}

/** Returns the condition that an index of values can find few conversations by, if there is one. */
export function leadingField(conditions: FieldCondition[] = []): FieldCondition | undefined {
  return conditions.find(({ operator }) => operator !== 'empty');
}

/**
 * Returns CTEs of the conversations of a condition by the indexes of values, unordered: `found` (id) and `lookup` (whether `found` is
 * complete). Reads at most `max` values and one more. A part of a text and any value have no index: all values of the field are read.
 */
export function gatheredByField(
  { workspaceId, condition }: { workspaceId: string; condition: FieldCondition },
  max: number,
): Prisma.Sql {
  const { subject, fieldId, operator } = condition;
  const { table, owner } = VALUE_TABLES[subject];
  const most = Prisma.sql`limit ${max + 1}::int`;
  const where = operator === 'has' ? Prisma.sql`true` : holds(condition);
  const owners = Prisma.sql`select v.${owner} as id from ${table} v where v.field_id = ${fieldId}::uuid and ${where} ${most}`;
  if (subject === 'conversation') {
    return Prisma.sql`with found as materialized (${owners}),
      lookup as materialized (select count(*) <= ${max} as complete from found)`;
  }
  return Prisma.sql`with owners as materialized (${owners}),
    found as materialized (
      select c.id from owners o cross join lateral (
        select id from conversations where workspace_id = ${workspaceId}::uuid and contact_id = o.id ${most}) c
      where (select count(*) from owners) <= ${max} ${most}),
    lookup as materialized (
      select greatest((select count(*) from owners), (select count(*) from found)) <= ${max} as complete)`;
}

function holds({ operator, values }: FieldCondition): Prisma.Sql {
  const [value = ''] = values;
  switch (operator) {
    case 'is':
      return Prisma.sql`lower(v.text) = lower(${value})`;
    case 'has':
      return Prisma.sql`strpos(lower(v.text), lower(${value})) > 0`;
    case 'eq':
      return Prisma.sql`v.number = ${value}::numeric`;
    case 'lt':
      return Prisma.sql`v.number < ${value}::numeric`;
    case 'gt':
      return Prisma.sql`v.number > ${value}::numeric`;
    case 'on':
      return Prisma.sql`v.date = ${value}::date`;
    case 'before':
      return Prisma.sql`v.date < ${value}::date`;
    case 'after':
      return Prisma.sql`v.date > ${value}::date`;
    case 'any':
      return Prisma.sql`v.choice_id = any(${values}::uuid[])`;
    case 'set':
    case 'empty':
      return Prisma.sql`true`;
  }
}
