import { validate as isUuid } from 'uuid';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { FieldSubject, FieldType } from '#server/generated/prisma/enums.ts';

/** A field that owners and admins defined. `choices`: in their order, empty unless it is a choice. */
export type CustomField = {
  id: string;
  subject: FieldSubject;
  type: FieldType;
  name: string;
  choices: { id: string; name: string }[];
};

/** Maximum numbers of fields of contacts, of fields of conversations, and of choices of one field. */
export const FIELDS_MAX = 50;
export const CHOICES_MAX = 50;

/** Selects a `CustomField` from `f`, a row of `custom_fields`. */
const FIELD = Prisma.sql`f.id, f.subject, f.type, f.name, coalesce((
  select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.position, c.id)
  from field_choices c where c.field_id = f.id and c.deleted_at is null), '[]') as choices`;

/** Returns the fields of a workspace in their order. */
export function listFields(db: ReadDb, workspaceId: string): Promise<CustomField[]> {
  const statement = Prisma.sql`
    select ${FIELD} from custom_fields f where f.workspace_id = ${workspaceId}::uuid and f.deleted_at is null
    order by f.position, f.id limit ${2 * FIELDS_MAX}::int`;
  return runRead(db, statement, (rows: CustomField[]) => rows);
}

type Which = { workspaceId: string; fieldId: string; subject: FieldSubject };

/**
 * Returns a field whose value is set. Until the transaction ends, the field and its choices can be neither changed nor deleted. Lock
 * order: fields before conversations and contacts.
 * @throws Refusal when the workspace has no such field of the subject
 */
export async function lockField(tx: SqlDb, { workspaceId, fieldId, subject }: Which): Promise<CustomField> {
  const locked = isUuid(fieldId)
    ? await tx.$queryRaw<unknown[]>`
        select id from custom_fields where workspace_id = ${workspaceId}::uuid and id = ${fieldId}::uuid
          and subject = ${subject}::field_subject and deleted_at is null
        for share`
    : [];
  // A second statement sees the choices as they are after the wait for the lock.
  const [field] =
    locked.length === 0
      ? []
      : await tx.$queryRaw<CustomField[]>`select ${FIELD} from custom_fields f where f.id = ${fieldId}::uuid`;
  if (!field) throw notFound('The field');
  return field;
}
