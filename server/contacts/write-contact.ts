import { COMPANY_JOIN, CONTACT_JSON, type SelectedContact } from '#server/contacts/contact-record.ts';
import { programListens, recordEvents } from '#server/contract/record-events.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type Actor, causeOf } from '#server/teammates/actor.ts';

/** New values of columns. Undefined stays unchanged. */
export type ContactColumns = Partial<
  Record<Exclude<keyof typeof COLUMNS, 'companyId'>, string | null> & { companyId: string | null }
>;

const COLUMNS = {
  firstName: 'first_name = $::text',
  lastName: 'last_name = $::text',
  email: 'email = $::text',
  claimedEmail: 'claimed_email = $::text',
  phone: 'phone = $::text',
  phoneDigits: 'phone_digits = $::text',
  phoneKey: 'phone_key = $::text',
  city: 'city = $::text',
  language: 'language = $::text',
  companyId: 'company_id = $::uuid',
} as const;

type Written = {
  before: SelectedContact;
  contact: SelectedContact;
  isTest: boolean;
  /** A program gets the events of the workspace. */
  programListens: boolean;
};

/**
 * Writes columns of a contact in one statement. Returns the contact before and after; null when no contact meets the
 * condition on `contacts c`.
 */
export async function writeContact(
  tx: SqlDb,
  { workspaceId, id, columns }: { workspaceId: string; id: string; columns: ContactColumns },
  condition: Prisma.Sql,
): Promise<Written | null> {
  const set = Object.entries(columns).map(([key, value]) => {
    const [before = '', after = ''] = COLUMNS[key as keyof typeof COLUMNS].split('$');
    return Prisma.sql`${Prisma.raw(before)}${value}${Prisma.raw(after)}`;
  });
  const json = Prisma.raw(`select ${CONTACT_JSON}`);
  const company = Prisma.raw(COMPANY_JOIN);
  const [written] = await tx.$queryRaw<Written[]>`
    with earlier as materialized (
      select * from contacts where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid for no key update
    ), written as (
      update contacts c set ${Prisma.join([...set, Prisma.sql`updated_at = now()`])}
      from earlier where c.id = earlier.id and ${condition}
      returning c.*
    )
    select (${json} from earlier k ${company}) as before, (${json} from written k ${company}) as contact,
      w.is_test as "isTest", ${programListens(workspaceId)} as "programListens"
    from written w`;
  return written ?? null;
}

/** Records `contact.updated` if a field of the record changed. */
export async function recordUpdate(
  tx: SqlDb,
  update: { workspaceId: string; actor: Actor; before: ContactRecord; contact: ContactRecord },
): Promise<void> {
  const { workspaceId, actor, before, contact } = update;
  const changed_fields = (Object.keys(contact) as (keyof ContactRecord)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(contact[field]),
  );
  if (changed_fields.length === 0) return;
  await recordEvents(tx, {
    workspaceId,
    events: [{ key: 'contact.updated', payload: { contact, changed_fields } }],
    cause: causeOf(actor, contact),
  });
}
