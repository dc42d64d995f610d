import { validate as isUuid } from 'uuid';
import { remainingId } from '#server/contacts/contact-alias.ts';
import { phoneDigits } from '#server/contacts/contact-fields.ts';
import {
  COMPANY_JOIN,
  CONTACT_JSON,
  contactRecord,
  type SelectedContact,
} from '#server/contacts/contact-record.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { LogCursor } from '#server/core/cursor.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { notFound } from '#server/core/errors.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** A contact with the time of its last change. */
export type TimedContact = ContactRecord & { updated_at: string };

export type ContactsFilter = {
  workspaceId: string;
  /** Lowercase; null is an invalid address, which no contact has. Also finds an address of a merged contact. */
  email?: string | null | undefined;
  /** In any format: its digits count. */
  phone?: string | undefined;
  /** Any text. */
  companyId?: string | undefined;
  updatedSince?: Date | undefined;
};

/** A contact and its position in the list. */
type Listed = { item: TimedContact; position: LogCursor };

type Row = { contact: SelectedContact; updatedAt: Date; id: string; micros: string };

const FIELDS = Prisma.sql`${Prisma.raw(CONTACT_JSON)} as contact, k.updated_at as "updatedAt", k.id,
  (extract(epoch from k.updated_at) * 1000000)::bigint::text as micros`;

/**
 * Returns contacts after a position, by their last change, oldest first, without test contacts. A contact that changes while
 * a caller reads page by page moves to the end, so that none is missed. One statement.
 */
export async function listContactsByChange(
  db: SqlDb,
  { after, limit, ...filter }: ContactsFilter & { after: LogCursor | null; limit: number },
): Promise<Listed[]> {
  const conditions = conditionsOf(filter);
  if (conditions === null) return [];
  const position = after
    ? Prisma.sql`and (k.updated_at, k.id)
        > (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : Prisma.empty;
  const rows = await db.$queryRaw<Row[]>`
    select ${FIELDS} from contacts k ${Prisma.raw(COMPANY_JOIN)}
    where k.workspace_id = ${filter.workspaceId}::uuid and not k.is_test ${conditions} ${position}
    order by k.updated_at, k.id limit ${limit}::int`;
  return rows.map((row) => ({ item: timedContact(row), position: { micros: row.micros, id: row.id } }));
}

/** Returns a contact. The id of a merged contact finds the contact that remains. @throws Refusal when there is none */
export async function readTimedContact(
  db: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<TimedContact> {
  if (!isUuid(id)) throw notFound('The contact');
  const [row] = await db.$queryRaw<Row[]>`
    select ${FIELDS} from contacts k ${Prisma.raw(COMPANY_JOIN)}
    where k.workspace_id = ${workspaceId}::uuid and not k.is_test and k.id = ${remainingId({ workspaceId, id })}`;
  if (!row) throw notFound('The contact');
  return timedContact(row);
}

function timedContact({ contact, updatedAt }: Row): TimedContact {
  return { ...contactRecord(contact), updated_at: timestamp(updatedAt) };
}

/** Returns null when no contact can match. */
function conditionsOf({
  workspaceId,
  email,
  phone,
  companyId,
  updatedSince,
}: ContactsFilter): Prisma.Sql | null {
  const digits = phone === undefined ? undefined : phoneDigits(phone);
  if (email === null || digits === null || (companyId !== undefined && !isUuid(companyId))) return null;
  const conditions = [
    ...(email === undefined ? [] : [Prisma.sql`and k.id = any (array(${ownersOf({ workspaceId, email })}))`]),
    ...(digits === undefined ? [] : [Prisma.sql`and k.phone_digits = ${digits}::text`]),
    ...(companyId === undefined ? [] : [Prisma.sql`and k.company_id = ${companyId}::uuid`]),
    ...(updatedSince === undefined ? [] : [Prisma.sql`and k.updated_at >= ${updatedSince}::timestamptz`]),
  ];
  return conditions.length === 0 ? Prisma.empty : Prisma.join(conditions, ' ');
}

/** Returns SQL for the ids of the contacts with an address, as their own or by a merge. */
function ownersOf({ workspaceId, email }: { workspaceId: string; email: string }): Prisma.Sql {
  return Prisma.sql`
    select id from contacts where workspace_id = ${workspaceId}::uuid and email = ${email}::text
    union all
    select contact_id from contact_identities
    where workspace_id = ${workspaceId}::uuid and channel = 'email' and scope = '' and external_id = ${email}::text`;
}
