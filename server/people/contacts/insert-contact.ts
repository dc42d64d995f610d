import { v7 as uuidv7 } from 'uuid';
import type { ContactRecord } from '#server/contract/records/record-schemas.ts';
import type { Tx } from '#server/ground/db.ts';
import type { Company } from '#server/people/contacts/choose-company.ts';
import { companyOfEmail } from '#server/people/contacts/company-of-email.ts';
import { type ContactFields, contactFieldColumns } from '#server/people/contacts/contact-fields.ts';
import { contactRecord, type SelectedContact } from '#server/people/contacts/contact-record.ts';

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

/**
 * Writes a new contact, linked to the company chosen for it or that the address's domain belongs to. The unique index decides who
 * has an address: of any number of calls at once one inserts, and the others wait for it and hear of the contact
 * they can then read. Two round trips.
 * @param company undefined: the one of the address; null: none
 * @param now when it is created, which is also when `contact.created` occurs
 * @param isTest made by testing the AI agent: no event tells of it, and no search or sample shows it
 */
export async function insertContact(
  tx: Tx,
  {
    workspaceId,
    fields,
    company: chosen,
    isTest = false,
    now,
  }: {
    workspaceId: string;
    fields: ContactFields;
    company?: Company | null | undefined;
    isTest?: boolean;
    now: Date;
  },
): Promise<{ kind: 'inserted'; contact: ContactRecord } | { kind: 'email_taken'; email: string }> {
  const { email } = fields;
  const company = chosen === undefined ? await companyOf(tx, { workspaceId, email }) : chosen;
  const row = { id: uuidv7(), ...NOTHING_KNOWN, ...contactFieldColumns(fields), createdAt: now };
  const inserted = await tx.$executeRaw`
    insert into contacts (id, workspace_id, company_id, is_test, first_name, last_name, email, phone, phone_digits, city,
      language, created_at, updated_at)
    values (${row.id}::uuid, ${workspaceId}::uuid, ${company?.id ?? null}::uuid, ${isTest}, ${row.firstName}, ${row.lastName},
      ${row.email}, ${row.phone}, ${row.phoneDigits}, ${row.city}, ${row.language}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict do nothing`;
  if (inserted > 0)
    return {
      kind: 'inserted',
      contact: contactRecord({ ...row, company: company && { ...company, deletedAt: null } }),
    };
  if (email === undefined) throw new Error('A contact without an email address was taken for a duplicate.');
  return { kind: 'email_taken', email };
}

async function companyOf(
  tx: Tx,
  { workspaceId, email }: { workspaceId: string; email: string | undefined },
): Promise<Company | null> {
  return email === undefined ? null : companyOfEmail(tx, { workspaceId, email });
}
