import type { ContactFields } from '#server/contacts/contact-fields.ts';
import {
  COMPANY_JOIN,
  CONTACT_JSON,
  contactRecord,
  type SelectedContact,
} from '#server/contacts/contact-record.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import { insertContact } from '#server/contacts/insert-contact.ts';
import { recordEvents } from '#server/contract/record-events.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { causeOf } from '#server/teammates/actor.ts';

/**
 * Finds the contact with an email address or creates it. The first of two simultaneous calls creates the
 * contact, the other finds it. The caller that created the contact records `contact.created`.
 * @param fields of a new contact; an existing contact keeps its fields
 */
async function findOrCreateContact(
  tx: SqlDb,
  { workspaceId, fields, now }: { workspaceId: string; fields: ContactFields & { email: string }; now: Date },
): Promise<{ kind: 'inserted' | 'found'; contact: ContactRecord }> {
  const find = { workspaceId, email: fields.email };
  const existing = await findByEmail(tx, find);
  if (existing) return { kind: 'found', contact: existing };

  const inserted = await insertContact(tx, { workspaceId, fields, now });
  if (inserted.kind === 'inserted') return inserted;
  const other = await findByEmail(tx, find);
  if (!other) throw new Error('The contact with this address was not found.');
  return { kind: 'found', contact: other };
}

async function findByEmail(
  tx: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<ContactRecord | null> {
  const [found] = await tx.$queryRaw<{ contact: SelectedContact }[]>`
    select ${Prisma.raw(CONTACT_JSON)} as contact from contacts k ${Prisma.raw(COMPANY_JOIN)}
    where k.workspace_id = ${workspaceId}::uuid and k.id = ${contactIdWithEmail({ workspaceId, email })}`;
  return found ? contactRecord(found.contact) : null;
}

/**
 * A contact that the channel already knows, or the fields of an unknown sender. `claimedEmail` is an address that the
 * sender has not proved: it finds no contact (docs/rulings.md 3.13).
 */
export type Sender = { id: string } | { fields: ContactFields; claimedEmail?: string | undefined };

/**
 * Finds or creates the contact who writes: by id, else by email address, else a new contact. A channel that
 * identifies people by something other than the address must give the id. Every writer is a contact, even an
 * anonymous visitor (docs/rulings.md 3.14). Emits `contact.created`, except for a test.
 * @param isTest a test of the AI agent, which always creates a separate contact
 * @returns the contact's id
 */
export async function findOrCreateSender(
  tx: SqlDb,
  { workspaceId, writer, isTest, now }: { workspaceId: string; writer: Sender; isTest: boolean; now: Date },
): Promise<string> {
  if ('id' in writer) return writer.id;
  const {
    fields: { email, ...fields },
    claimedEmail,
  } = writer;
  // A test contact has no address: the address could belong to a real contact, or block it from one.
  const made =
    email !== undefined && !isTest
      ? await findOrCreateContact(tx, { workspaceId, fields: { ...fields, email }, now })
      : await insertContact(tx, { workspaceId, fields, claimedEmail, isTest, now });
  if (made.kind === 'email_taken') {
    throw new Error('A contact without an email address was mistaken for a duplicate.');
  }
  const { kind, contact } = made;
  if (kind === 'inserted' && !isTest) {
    const cause = causeOf({ kind: 'contact' }, contact);
    await recordEvents(tx, {
      workspaceId,
      events: [{ key: 'contact.created', payload: { contact } }],
      cause,
      now,
    });
  }
  return contact.id;
}
