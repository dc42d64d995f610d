import type { ContactRecord } from '#server/contract/records/record-schemas.ts';
import type { Tx } from '#server/ground/db.ts';
import type { Company } from '#server/people/contacts/choose-company.ts';
import { companyOfEmail } from '#server/people/contacts/company-of-email.ts';
import { type ContactFields, contactFieldColumns } from '#server/people/contacts/contact-fields.ts';
import { contactColumns, contactRecord } from '#server/people/contacts/contact-record.ts';

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
  const [row] = await tx.contact.createManyAndReturn({
    data: {
      workspaceId,
      companyId: company?.id ?? null,
      isTest,
      createdAt: now,
      ...contactFieldColumns(fields),
    },
    skipDuplicates: true,
    select: contactColumns,
  });
  if (row)
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
