import { contactFieldColumns } from '#server/contacts/contact-fields.ts';
import { contactRecord } from '#server/contacts/contact-record.ts';
import { recordUpdate, writeContact } from '#server/contacts/write-contact.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';

/** A visitor with a conversation. The visitor's row is locked. */
export type VisitorWithConversation = {
  tokenHash: Uint8Array<ArrayBuffer>;
  workspaceId: string;
  contactId: string;
  contactClaimed: boolean;
  conversationId: string;
};

/** Name and address that a visitor typed. The address is lowercase and unverified. */
export type Introduction = { name?: string | undefined; email?: string | undefined };

/**
 * Stores the name and address that a visitor gives after their first message (docs/rulings.md 3.13, 3.14), each if their
 * contact has none yet. The address is only claimed: it does not change whose contact this is. A name emits
 * `contact.updated` for programs.
 * @returns whether the contact's address is unverified
 */
export async function introduceVisitor(
  tx: SqlDb,
  visitor: VisitorWithConversation,
  { name, email }: Introduction,
  now: Date,
): Promise<boolean> {
  const { workspaceId, contactId, contactClaimed } = visitor;
  if (contactClaimed || (name === undefined && email === undefined)) return contactClaimed;
  const conversation = await lockConversation(tx, { workspaceId, id: visitor.conversationId });
  const known = await lockContact(tx, contactId);
  const accepted = {
    name: known.isNamed ? undefined : name,
    email: known.hasAddress ? undefined : email,
  };
  if (accepted.name === undefined && accepted.email === undefined) return false;

  const isClaimed = accepted.email !== undefined;
  const columns = {
    ...contactFieldColumns({ name: accepted.name }),
    ...(accepted.email === undefined ? {} : { claimedEmail: accepted.email }),
  };
  const actor = { kind: 'contact' } as const;
  const written = await writeContact(tx, { workspaceId, id: contactId, columns }, Prisma.sql`true`);
  if (written) {
    const [before, contact] = [contactRecord(written.before), contactRecord(written.contact)];
    await recordUpdate(tx, { workspaceId, actor, before, contact });
  }
  if (isClaimed) await markClaimed(tx, visitor, now);
  const entry = {
    kind: 'introduced',
    data: { name: accepted.name ?? null, email: accepted.email ?? null },
  } as const;
  const change = changeOf({ entries: [entry] });
  await persistChange(tx, conversation, { actor, change, now });
  return isClaimed;
}

/** Marks the visitor and all their chats, because earlier chats show the address too. */
async function markClaimed(
  tx: SqlDb,
  { tokenHash, workspaceId, contactId }: VisitorWithConversation,
  now: Date,
): Promise<void> {
  await tx.$executeRaw`
    update conversations set contact_claimed = true, updated_at = ${now}::timestamptz
    where workspace_id = ${workspaceId}::uuid and contact_id = ${contactId}::uuid and channel = 'webchat'
      and not contact_claimed`;
  await tx.$executeRaw`update visitors set contact_claimed = true where token_hash = ${tokenHash}`;
}

async function lockContact(tx: SqlDb, id: string): Promise<{ isNamed: boolean; hasAddress: boolean }> {
  const [known] = await tx.$queryRaw<{ isNamed: boolean; hasAddress: boolean }[]>`
    select coalesce(first_name, last_name) is not null as "isNamed",
      coalesce(email, claimed_email) is not null as "hasAddress"
    from contacts where id = ${id}::uuid for no key update`;
  if (!known) throw new Error('The contact of a visitor is gone.');
  return known;
}
