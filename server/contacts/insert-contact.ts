import { v7 as uuidv7 } from 'uuid';
import type { Company } from '#server/contacts/choose-company.ts';
import { companyOfEmail } from '#server/contacts/company-of-email.ts';
import { type ContactFields, contactFieldColumns } from '#server/contacts/contact-fields.ts';
import { contactRecord, type SelectedContact } from '#server/contacts/contact-record.ts';
import { mergedAddressOwner } from '#server/contacts/contact-with-email.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';

type Columns = Omit<SelectedContact, 'id' | 'createdAt' | 'company'> & {
  phoneDigits: string | null;
  phoneKey: string | null;
};

const NOTHING_KNOWN: Columns = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  phoneDigits: null,
  phoneKey: null,
  city: null,
  language: null,
};

/**
 * Inserts a contact, linked to the chosen company or to the company with its email domain. The unique index
 * decides who gets an address: of simultaneous calls one inserts, and the others wait for its commit and
 * return `email_taken`, as does an address of a merged contact. Three round trips, or one without an address.
 * @param company undefined: the company of the email domain; null: none
 * @param now timestamp of the creation and of `contact.created`
 * @param claimedEmail address that the contact has not proved (docs/rulings.md 3.13)
 * @param isTest created by testing the AI agent: emits no event and appears in no search or sample
 */
export async function insertContact(
  tx: SqlDb,
  newContact: {
    workspaceId: string;
    fields: ContactFields;
    company?: Company | null | undefined;
    isTest?: boolean;
    claimedEmail?: string | undefined;
    now: Date;
  },
): Promise<{ kind: 'inserted'; contact: ContactRecord } | { kind: 'email_taken'; email: string }> {
  const { workspaceId, fields, isTest = false, claimedEmail = null, now } = newContact;
  const { email } = fields;
  const company =
    newContact.company === undefined ? await companyOf(tx, { workspaceId, email }) : newContact.company;
  const row = { id: uuidv7(), ...NOTHING_KNOWN, ...contactFieldColumns(fields), createdAt: now };
  const inserted = await tx.$executeRaw`
    insert into contacts (id, workspace_id, company_id, is_test, first_name, last_name, email, claimed_email, phone,
      phone_digits, phone_key, city, language, created_at, updated_at)
    values (${row.id}::uuid, ${workspaceId}::uuid, ${company?.id ?? null}::uuid, ${isTest}::boolean, ${row.firstName}::text,
      ${row.lastName}::text, ${row.email}::text, ${claimedEmail}::text, ${row.phone}::text, ${row.phoneDigits}::text,
      ${row.phoneKey}::text, ${row.city}::text, ${row.language}::text, ${now}::timestamptz, ${now}::timestamptz)
    on conflict do nothing`;
  if (email === undefined) {
    if (inserted === 0) throw new Error('A contact without an email address was mistaken for a duplicate.');
  } else if (inserted === 0 || (await removeMergedDuplicate(tx, { workspaceId, id: row.id, email }))) {
    return { kind: 'email_taken', email };
  }
  return {
    kind: 'inserted',
    contact: contactRecord({ ...row, company: company && { ...company, deletedAt: null } }),
  };
}

/**
 * Deletes the inserted contact if its address belongs to another contact by a merge. A separate statement,
 * because the insert may have waited at the unique index for the commit of that merge, which it does not see.
 * @returns whether the contact was deleted
 */
async function removeMergedDuplicate(
  tx: SqlDb,
  { workspaceId, id, email }: { workspaceId: string; id: string; email: string },
): Promise<boolean> {
  const removed = await tx.$executeRaw`
    delete from contacts
    where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid
      and ${mergedAddressOwner({ workspaceId, email })} is not null`;
  return removed > 0;
}

async function companyOf(
  tx: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string | undefined },
): Promise<Company | null> {
  return email === undefined ? null : companyOfEmail(tx, { workspaceId, email });
}
