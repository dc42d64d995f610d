import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { findOrCreateContact } from '#server/contacts/find-or-create-contact.ts';
import { insertContact } from '#server/contacts/insert-contact.ts';
import { recordEvents } from '#server/contract/record-events.ts';
import type { ContactRecord } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';

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
  tx: Tx,
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
  tx: Tx,
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
