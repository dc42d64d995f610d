import { validate as isUuid } from 'uuid';
import { type CompanyChoice, chooseCompany } from '#server/contacts/choose-company.ts';
import { linkCompany } from '#server/contacts/company-of-email.ts';
import { findMergedInto } from '#server/contacts/contact-alias.ts';
import {
  type ContactField,
  type ContactFields,
  contactFieldColumns,
  emptiedColumns,
  isSomebody,
} from '#server/contacts/contact-fields.ts';
import { contactRecord, contactSelect, type SelectedContact } from '#server/contacts/contact-record.ts';
import { mergedAddressOwner } from '#server/contacts/contact-with-email.ts';
import { duplicateEmail, findEmailOwner } from '#server/contacts/duplicate-email.ts';
import { lockAddresses } from '#server/contacts/lock-addresses.ts';
import { recordUpdate, writeContact } from '#server/contacts/write-contact.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Changes of a contact. Everything else stays unchanged. */
export type ContactChanges = {
  fields: ContactFields;
  /**
   * Fields to clear. Only screens can clear fields: an empty value in the API leaves the field unchanged
   * (docs/spec.md §2).
   */
  empty?: readonly ContactField[];
  /** Null: no company. Undefined: unchanged, or the company of a new address if the contact has none. */
  company?: CompanyChoice | undefined;
};

type Update = ContactChanges & {
  workspaceId: string;
  /** Any text; an id that is not a UUID matches no contact. The id of a merged contact is an alias. */
  id: string;
  actor: Actor;
  /** Set for the platform, which cannot see test contacts. */
  isTest?: false;
};

/**
 * Updates the given fields of a contact; simultaneous updates of different fields are both stored
 * (docs/spec.md §4.2, PATCH /contacts/{id}). A new address links a contact without a company. Emits
 * `contact.updated` for programs if a value changes. Refreshes open pages.
 * @throws Refusal when the workspace has no such contact or company, another contact has the email address,
 * or the contact would have neither name nor email address nor phone number
 * @param transact runs the transaction
 */
export async function updateContact(update: Update, transact = inTransaction): Promise<ContactRecord> {
  const { workspaceId, id } = update;
  if (!isUuid(id)) throw notFound('The contact');
  // Prisma fails on an update without columns that selects a relation, and there is nothing to write.
  const contact =
    Object.keys(changedColumns(update)).length === 0 && update.company === undefined
      ? await db().contact.findUnique({
          where: { workspaceId_id: { workspaceId, id }, ...realOnly(update) },
          ...SHOWN,
        })
      : await write(update, transact);
  if (contact) return contactRecord(contact);
  const mergedInto = await findMergedInto(db(), { workspaceId, id });
  if (mergedInto === null) throw notFound('The contact');
  return updateContact({ ...update, id: mergedInto }, transact);
}

/** Returns what `updateContact` would refuse, by field, and changes nothing. */
export async function findUpdateProblems(update: Omit<Update, 'actor'>): Promise<FieldErrors> {
  const { workspaceId, id } = update;
  const { email } = update.fields;
  if (email === undefined) return {};
  const owner = await findEmailOwner(db(), { workspaceId, email });
  if (!owner || owner.id === ((await findMergedInto(db(), { workspaceId, id })) ?? id.toLowerCase()))
    return {};
  return (await duplicateEmail(db(), { workspaceId, email })).errors ?? {};
}

const SHOWN = { select: contactSelect, relationLoadStrategy: 'join' } as const;

/** An address that the team gives a contact replaces the one that the contact claims. */
function changedColumns({ fields, empty = [] }: ContactChanges) {
  const claim = fields.email === undefined ? {} : { claimedEmail: null };
  return { ...emptiedColumns(empty), ...contactFieldColumns(fields), ...claim };
}

/** Returns the changed contact, or null when the workspace has no contact with this id. */
async function write(update: Update, transact: typeof inTransaction): Promise<SelectedContact | null> {
  const { workspaceId } = update;
  const { email } = update.fields;
  try {
    return await transact((tx) => writeIn(tx, update));
  } catch (error) {
    // The unique index aborted the transaction, so the owner is read outside of it. The email address is the
    // only unique field of a contact.
    if (email !== undefined && isUniqueViolation(error))
      throw await duplicateEmail(db(), { workspaceId, email });
    throw error;
  }
}

async function writeIn(tx: Tx, update: Update): Promise<SelectedContact | null> {
  const { workspaceId, id, actor, fields, empty = [] } = update;
  const { email } = fields;
  if (email !== undefined) await lockAddresses(tx, { workspaceId });
  const company = await chooseCompany(tx, { workspaceId, choice: update.company });
  const isLinked =
    email !== undefined && company === undefined && (await linkCompany(tx, { workspaceId, id, email }));
  const columns = {
    ...changedColumns(update),
    ...(company === undefined ? {} : { companyId: company?.id ?? null }),
  };
  const isReal = update.isTest === undefined ? Prisma.sql`true` : Prisma.sql`not c.is_test`;
  const condition = Prisma.sql`${isReal} and ${keepsIdentity({ fields, empty })}`;
  const written = await writeContact(tx, { workspaceId, id, columns }, condition);
  if (!written) {
    if (await exists(tx, { workspaceId, id, ...realOnly(update) })) throw nobodyLeft();
    return null;
  }
  const { contact, before, isTest, programListens } = written;
  if (email !== undefined && (await hasOtherMergedOwner(tx, { workspaceId, id: contact.id, email }))) {
    throw await duplicateEmail(tx, { workspaceId, email });
  }
  if (programListens && !isTest) {
    const earlier = contactRecord(isLinked ? { ...before, company: null } : before);
    await recordUpdate(tx, { workspaceId, actor, before: earlier, contact: contactRecord(contact) });
  }
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  return contact;
}

/** Returns true if another contact has the address by a merge. The caller has locked the addresses. */
async function hasOtherMergedOwner(
  tx: Tx,
  { workspaceId, id, email }: { workspaceId: string; id: string; email: string },
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isOther: boolean | null }[]>`
    select ${mergedAddressOwner({ workspaceId, email })} <> ${id}::uuid as "isOther"`;
  return row?.isOther === true;
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
 * Returns the condition that the contact keeps a name, an email address or a phone number. Test contacts and
 * visitors without any of them are exempt. The condition is part of the update, so that two teammates who
 * clear different fields simultaneously cannot leave a contact without any.
 */
function keepsIdentity({ fields, empty = [] }: ContactChanges): Prisma.Sql {
  const emptied = (field: ContactField) => empty.includes(field);
  if (isSomebody(fields) || !(emptied('name') || emptied('email') || emptied('phone')))
    return Prisma.sql`true`;
  const left = [
    ...(emptied('name') ? [] : ['c.first_name', 'c.last_name']),
    ...(emptied('email') ? [] : ['c.email']),
    ...(emptied('phone') ? [] : ['c.phone']),
  ].map((column) => Prisma.raw(`or ${column} is not null`));
  return Prisma.sql`(c.is_test
    or (c.first_name is null and c.last_name is null and c.email is null and c.phone is null)
    ${Prisma.join([Prisma.empty, ...left], ' ')})`;
}
