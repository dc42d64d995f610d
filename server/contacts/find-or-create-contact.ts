import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { contactRecord, type SelectedContact } from '#server/contacts/contact-record.ts';
import { insertContact } from '#server/contacts/insert-contact.ts';
import { recordEvents } from '#server/contract/record-events.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';

/**
 * The contact with an email address, created when the address is new. Two calls at once make one contact: the
 * loser finds the winner's. Who creates one also records `contact.created`.
 * @param fields of someone new; an existing contact keeps its own
 */
async function findOrCreateContact(
  tx: SqlDb,
  { workspaceId, fields, now }: { workspaceId: string; fields: ContactFields & { email: string }; now: Date },
): Promise<{ contact: ContactRecord; created: boolean }> {
  const find = { workspaceId, email: fields.email };
  const existing = await findByEmail(tx, find);
  if (existing) return { contact: existing, created: false };

  const inserted = await insertContact(tx, { workspaceId, fields, now });
  if (inserted.kind === 'inserted') return { contact: inserted.contact, created: true };
  const other = await findByEmail(tx, find);
  if (!other) throw new Error('The contact that has the address is not there.');
  return { contact: other, created: false };
}

type ContactRow = Omit<SelectedContact, 'company'> & { company: { id: string; name: string } | null };

async function findByEmail(
  tx: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<ContactRecord | null> {
  const [found] = await tx.$queryRaw<ContactRow[]>`
    select k.id, k.first_name as "firstName", k.last_name as "lastName", k.email, k.phone, k.city, k.language,
      k.created_at as "createdAt",
      case when o.id is not null then json_build_object('id', o.id, 'name', o.name) end as company
    from contacts k
    left join companies o on o.workspace_id = k.workspace_id and o.id = k.company_id and o.deleted_at is null
    where k.workspace_id = ${workspaceId}::uuid and k.email = ${email}`;
  if (!found) return null;
  return contactRecord({ ...found, company: found.company && { ...found.company, deletedAt: null } });
}

/** Who writes: a contact that the channel knows already, or what it knows of an unknown sender. */
export type Sender = { id: string } | { fields: ContactFields };

/**
 * The contact who writes: the one given, the one that has the email address, or someone new. A channel that knows
 * its contacts by anything else than their address gives the id, or everyone is new. Everyone who writes is a contact,
 * also a visitor of whom nothing is known (decisions: conversations and contacts, 14). Emits `contact.created`, but not
 * for a test.
 * @param isTest from testing the AI agent: always a contact of its own
 * @returns its id
 */
export async function findSender(
  tx: SqlDb,
  { workspaceId, writer, isTest, now }: { workspaceId: string; writer: Sender; isTest: boolean; now: Date },
): Promise<string> {
  if ('id' in writer) return writer.id;
  const { fields } = writer;
  const { contact, created } = await findOrMake(tx, { workspaceId, fields, isTest, now });
  if (created && !isTest) {
    await recordEvents(tx, { workspaceId, events: [{ key: 'contact.created', payload: { contact } }], now });
  }
  return contact.id;
}

async function findOrMake(
  tx: SqlDb,
  {
    workspaceId,
    fields: { email, ...fields },
    isTest,
    now,
  }: { workspaceId: string; fields: ContactFields; isTest: boolean; now: Date },
): Promise<{ contact: ContactRecord; created: boolean }> {
  // A test goes without the address: it would be the real contact's, or keep the real one from having it.
  if (email !== undefined && !isTest) {
    return findOrCreateContact(tx, { workspaceId, fields: { ...fields, email }, now });
  }
  const inserted = await insertContact(tx, { workspaceId, fields, isTest, now });
  if (inserted.kind === 'inserted') return { contact: inserted.contact, created: true };
  throw new Error('A contact without an email address was taken for a duplicate.');
}
