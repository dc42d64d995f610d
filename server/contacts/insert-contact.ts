import { v7 as uuidv7 } from 'uuid';
import type { Company } from '#server/contacts/choose-company.ts';
import { companyOfEmail } from '#server/contacts/company-of-email.ts';
import { type ContactFields, contactFieldColumns } from '#server/contacts/contact-fields.ts';
import { contactRecord, type SelectedContact } from '#server/contacts/contact-record.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import { ALWAYS } from '#server/core/database/statement-parts.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

type Columns = Omit<SelectedContact, 'id' | 'createdAt' | 'company'> & { phoneDigits: string | null };

/** What was not said of a contact. */
const NOTHING_KNOWN: Columns = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  phoneDigits: null,
  city: null,
  language: null,
};

type NewContact = {
  workspaceId: string;
  fields: ContactFields;
  isTest?: boolean;
  now: Date;
};

/**
 * Writes a new contact, linked to the company chosen for it or that the address's domain belongs to. The unique index decides who
 * has an address: of any number of calls at once one inserts, and the others wait for it and hear of the contact
 * they can then read. Two round trips.
 * @param company undefined: the one of the address; null: none
 * @param now when it is created, which is also when `contact.created` occurs
 * @param isTest made by testing the AI agent: it emits no event, and no search or sample shows it
 */
export async function insertContact(
  tx: Tx,
  { company: chosen, ...given }: NewContact & { company?: Company | null | undefined },
): Promise<{ kind: 'inserted'; contact: ContactRecord } | { kind: 'email_taken'; email: string }> {
  const { workspaceId, fields } = given;
  const { email } = fields;
  const company = chosen === undefined ? await companyOf(tx, { workspaceId, email }) : chosen;
  const { contact, statement } = newContact({ ...given, company });
  const inserted = await tx.$executeRaw(statement);
  if (inserted > 0) return { kind: 'inserted', contact: contactRecord(contact) };
  if (email === undefined) throw new Error('A contact without an email address was taken for a duplicate.');
  return { kind: 'email_taken', email };
}

/**
 * The same as a statement, to be a part of a larger one: it returns the contact's id, or no row when the address is taken.
 * @param when what must hold for it to be written
 */
export function newContact(
  { workspaceId, fields, company, isTest = false, now }: NewContact & { company: Company | null },
  when: Prisma.Sql = ALWAYS,
): { contact: SelectedContact; statement: Prisma.Sql } {
  const row = { id: uuidv7(), ...NOTHING_KNOWN, ...contactFieldColumns(fields), createdAt: now };
  const statement = Prisma.sql`
    insert into contacts (id, workspace_id, company_id, is_test, first_name, last_name, email, phone, phone_digits, city,
      language, created_at, updated_at)
    select ${row.id}::uuid, ${workspaceId}::uuid, ${company?.id ?? null}::uuid, ${isTest}::boolean, ${row.firstName}::text,
      ${row.lastName}::text, ${row.email}::text, ${row.phone}::text, ${row.phoneDigits}::text, ${row.city}::text,
      ${row.language}::text, ${now}::timestamptz, ${now}::timestamptz
    where ${when}
    on conflict do nothing
    returning id`;
  return { contact: { ...row, company: company && { ...company, deletedAt: null } }, statement };
}

async function companyOf(
  tx: Tx,
  { workspaceId, email }: { workspaceId: string; email: string | undefined },
): Promise<Company | null> {
  return email === undefined ? null : companyOfEmail(tx, { workspaceId, email });
}
