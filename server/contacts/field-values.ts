import type { CustomField } from '#server/contacts/custom-fields.ts';
import { parseDay, parseNumber } from '#server/contacts/typed-values.ts';
import { textProblem } from '#server/contract/fields.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { describeDay } from '#server/core/day.ts';
import { invalid } from '#server/core/errors.ts';
import { foldLines } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { FieldSubject } from '#server/generated/prisma/enums.ts';

/** Maximum characters of a text. */
export const FIELD_TEXT_MAX = 500;

/** Values by the ids of their fields: a text, a decimal number, an ISO date, or the id of a choice. An empty field has none. */
export type FieldValues = Record<string, string>;

/**
 * Parses a typed value. Returns null for an empty one.
 * @throws Refusal that names the field, under `value`, when the text is not of its type
 */
export function parseFieldValue(
  { name, type, choices }: Pick<CustomField, 'name' | 'type' | 'choices'>,
  typed: string,
): string | null {
  const text = foldLines(typed);
  if (text === '') return null;
  const refuse = (rest: string) => invalid({ value: [`${name} must be ${rest}.`] });
  switch (type) {
    case 'text': {
      if (textProblem(text, { label: name, max: FIELD_TEXT_MAX }))
        throw refuse(`a text of at most ${FIELD_TEXT_MAX} characters`);
      return text;
    }
    case 'number': {
      const number = parseNumber(text);
      if (number === null)
        throw refuse('a number such as 1250 or 12.5, with up to 15 digits before the point and 6 after it');
      return number;
    }
    case 'date': {
      if (parseDay(text) === null) throw refuse('a date such as 2026-11-30');
      return text;
    }
    case 'choice': {
      if (!choices.some(({ id }) => id === text)) throw refuse('one of its choices. Choose another one');
      return text;
    }
  }
}

/** Returns a stored value as people read it. A choice that no longer exists is an empty text. */
export function describeFieldValue({ type, choices }: CustomField, value: string): string {
  if (type === 'choice') return choices.find(({ id }) => id === value)?.name ?? '';
  return type === 'date' ? describeDay(value) : value;
}

/** The owner of values: a contact or a conversation. */
export type Owner = { workspaceId: string; subject: FieldSubject; ownerId: string };

export const VALUE_TABLES = {
  contact: { table: Prisma.raw('contact_field_values'), owner: Prisma.raw('contact_id') },
  conversation: { table: Prisma.raw('conversation_field_values'), owner: Prisma.raw('conversation_id') },
} satisfies Record<FieldSubject, object>;

/** SQL of a value as a text, of `v`, a row of a table of values. */
const VALUE = Prisma.raw('coalesce(v.text, trim_scale(v.number)::text, v.date::text, v.choice_id::text)');

/** Returns the values of a contact or conversation. Values of deleted fields and choices are left out. */
export function readFieldValues(
  db: ReadDb,
  { workspaceId, subject, ownerId }: { workspaceId: string; subject: FieldSubject; ownerId: Prisma.Sql },
): Promise<FieldValues> {
  const { table, owner } = VALUE_TABLES[subject];
  const statement = Prisma.sql`
    select f.id, ${VALUE} as value
    from ${table} v join custom_fields f on f.id = v.field_id and f.deleted_at is null
    left join field_choices c on c.id = v.choice_id
    where v.${owner} = ${ownerId} and v.workspace_id = ${workspaceId}::uuid and c.deleted_at is null`;
  return runRead(db, statement, (rows: { id: string; value: string }[]) =>
    Object.fromEntries(rows.map(({ id, value }) => [id, value])),
  );
}

/** Returns the statement that sets a value, or removes it (null). */
export function valueStatement(
  { workspaceId, subject, ownerId }: Owner,
  { field: { id, type }, value, now }: { field: CustomField; value: string | null; now: Date },
): Prisma.Sql {
  const { table, owner } = VALUE_TABLES[subject];
  if (value === null)
    return Prisma.sql`delete from ${table} where ${owner} = ${ownerId}::uuid and field_id = ${id}::uuid`;
  const of = (one: CustomField['type']) => (type === one ? value : null);
  return Prisma.sql`
    insert into ${table} (workspace_id, ${owner}, field_id, created_at, text, number, date, choice_id)
    values (${workspaceId}::uuid, ${ownerId}::uuid, ${id}::uuid, ${now}::timestamptz, ${of('text')}::text,
      ${of('number')}::numeric, ${of('date')}::date, ${of('choice')}::uuid)
    on conflict (${owner}, field_id) do update set created_at = excluded.created_at, text = excluded.text,
      number = excluded.number, date = excluded.date, choice_id = excluded.choice_id`;
}
