import { validate as isUuid } from 'uuid';
import { type CompanyChoice, chooseCompany } from '#server/contacts/choose-company.ts';
import { linkCompany } from '#server/contacts/company-of-email.ts';
import {
  type ContactField,
  type ContactFields,
  contactFieldColumns,
  emptiedColumns,
  isSomebody,
} from '#server/contacts/contact-fields.ts';
import { contactRecord, contactSelect, type SelectedContact } from '#server/contacts/contact-record.ts';
import { duplicateEmail } from '#server/contacts/duplicate-email.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { afterCommit, db, inTransaction, type Tx } from '#server/core/database/db.ts';
import { isUniqueViolation } from '#server/core/database/is-unique-violation.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** What is to change of a contact. What is in none of the three stays as it is. */
export type ContactChanges = {
  /** What gets another value. */
  fields: ContactFields;
  /** What is emptied. The platform cannot: an empty value of the API stays what it was (spec.md §2). */
  empty?: readonly ContactField[];
  /** Another company, or none. Undefined: it stays, or follows a new address when there is none. */
  company?: CompanyChoice | undefined;
};

type Update = ContactChanges & {
  workspaceId: string;
  /** Any text; what is no UUID is no contact either. */
  id: string;
  /** For the platform, to which contacts from testing the AI agent do not exist. */
  isTest?: false;
};

/**
 * Changes the fields sent of a contact and leaves the others alone, so that two updates at once of different
 * fields both last; with nothing sent nothing changes (spec.md §4.2, PATCH /contacts/{id}). A new address links
 * a contact without a company to one. Emits nothing; open pages are notified.
 * @throws Refusal when the workspace has no such contact or company, another contact has the email address, or
 * neither name nor email address nor phone number would be left
 */
export async function updateContact(update: Update): Promise<ContactRecord> {
  const { workspaceId, id } = update;
  if (!isUuid(id)) throw notFound('The contact');
  // An update without columns that also shows a relation is a fault in Prisma, and nothing is to be written anyway.
  const contact =
    Object.keys(changedColumns(update)).length === 0 && update.company === undefined
      ? await db().contact.findUnique({
          where: { workspaceId_id: { workspaceId, id }, ...realOnly(update) },
          ...SHOWN,
        })
      : await write(update);
  if (!contact) throw notFound('The contact');
  return contactRecord(contact);
}

/** Returns what `updateContact` would refuse, by field, and changes nothing. */
export async function findUpdateProblems({
  workspaceId,
  id,
  fields: { email },
}: {
  workspaceId: string;
  id: string;
  fields: ContactFields;
}): Promise<FieldErrors> {
  if (email === undefined) return {};
  const where = { workspaceId_email: { workspaceId, email } };
  const owner = await db().contact.findUnique({ where, select: { id: true } });
  if (!owner || owner.id === id.toLowerCase()) return {};
  return (await duplicateEmail(db(), { workspaceId, email })).errors ?? {};
}

const SHOWN = { select: contactSelect, relationLoadStrategy: 'join' } as const;

function changedColumns({ fields, empty = [] }: ContactChanges) {
  return { ...emptiedColumns(empty), ...contactFieldColumns(fields) };
}

async function write(update: Update): Promise<SelectedContact> {
  const { workspaceId } = update;
  const { email } = update.fields;
  try {
    return await inTransaction((tx) => writeIn(tx, update));
  } catch (error) {
    // The transaction is gone with the unique index's refusal; the contact that has the address is there to read. An
    // address is all of a contact that must be unique.
    if (email !== undefined && isUniqueViolation(error))
      throw await duplicateEmail(db(), { workspaceId, email });
    throw error;
  }
}

async function writeIn(tx: Tx, update: Update): Promise<SelectedContact> {
  const { workspaceId, id, fields, empty = [] } = update;
  if (fields.email !== undefined) await lockAddresses(tx, workspaceId);
  const company = await chooseCompany(tx, { workspaceId, choice: update.company });
  const { email } = fields;
  if (email !== undefined && company === undefined) await linkCompany(tx, { workspaceId, id, email });
  const [contact] = await tx.contact.updateManyAndReturn({
    where: { workspaceId, id, ...realOnly(update), ...requireIdentity({ fields, empty }) },
    data: { ...changedColumns(update), ...(company === undefined ? {} : { companyId: company?.id ?? null }) },
    select: contactSelect,
  });
  if (!contact) {
    const isThere = await exists(tx, { workspaceId, id, ...realOnly(update) });
    throw isThere ? nobodyLeft() : notFound('The contact');
  }
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  return contact;
}

/**
 * Addresses of a workspace's contacts change one after the other: two contacts who take over each other's would wait
 * for each other at the unique index.
 */
async function lockAddresses(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('contact addresses ' || ${workspaceId}, 0))`;
}

function realOnly({ isTest }: Update): { isTest?: false } {
  return isTest === undefined ? {} : { isTest };
}

async function exists(tx: Tx, which: { workspaceId: string; id: string; isTest?: false }): Promise<boolean> {
  return (await tx.contact.count({ where: which })) > 0;
}

function nobodyLeft() {
  return invalid({ name: ['Keep at least one of name, email address and phone number.'] });
}

/**
 * Under which condition a contact may be changed so: a name, an email address or a phone number must be left, unless it
 * is from testing the AI agent or a visitor of whom none was known before. It belongs into the update itself, so that
 * two teammates who empty different fields at once do not leave a contact without any.
 */
function requireIdentity({
  fields,
  empty,
}: {
  fields: ContactFields;
  empty: readonly ContactField[];
}): Prisma.ContactWhereInput {
  const emptied = (field: ContactField) => empty.includes(field);
  if (isSomebody(fields) || !(emptied('name') || emptied('email') || emptied('phone'))) return {};
  return {
    OR: [
      { isTest: true },
      { firstName: null, lastName: null, email: null, phone: null },
      ...(emptied('name') ? [] : [{ firstName: { not: null } }, { lastName: { not: null } }]),
      ...(emptied('email') ? [] : [{ email: { not: null } }]),
      ...(emptied('phone') ? [] : [{ phone: { not: null } }]),
    ],
  };
}
