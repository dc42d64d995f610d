import { linkCompany } from '#server/contacts/company-of-email.ts';
import { contactFieldColumns } from '#server/contacts/contact-fields.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
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

type Introduced = { contactId: string; contactClaimed: boolean };

/**
 * Stores the name and address that a visitor gives after their first message (docs/rulings.md 3.13, 3.14). A name or
 * unknown address is stored on the visitor's contact, if that has none. The address of another contact links the
 * conversation to that contact, which does not change. The visitor's previous contact keeps earlier conversations, and is
 * removed if it has none and no details. After an address was given, changes nothing: the contact may belong to somebody
 * else. Emits no event.
 * @throws a unique violation if a parallel request creates a contact with the address. The retry links to that contact
 * @returns the visitor's contact
 */
export async function introduceVisitor(
  tx: SqlDb,
  visitor: VisitorWithConversation,
  { name, email }: Introduction,
  now: Date,
): Promise<Introduced> {
  const { workspaceId, contactId } = visitor;
  const before = { contactId, contactClaimed: visitor.contactClaimed };
  if (before.contactClaimed || (name === undefined && email === undefined)) return before;
  const conversation = await lockConversation(tx, { workspaceId, id: visitor.conversationId });
  const known = await lockContact(tx, before.contactId);
  const accepted = {
    name: known.isNamed ? undefined : name,
    email: known.email === null ? email : undefined,
  };
  if (accepted.name === undefined && accepted.email === undefined) return before;

  const owner = await findOwner(tx, { workspaceId, email: accepted.email });
  const contactClaimed = accepted.email !== undefined;
  const after = { contactId: owner ?? contactId, contactClaimed };
  if (owner === undefined) {
    if (accepted.email !== undefined)
      await linkCompany(tx, { workspaceId, id: contactId, email: accepted.email });
    const { firstName, lastName } = contactFieldColumns(accepted);
    await tx.$executeRaw`
      update contacts set first_name = coalesce(${firstName ?? null}::text, first_name),
        last_name = coalesce(${lastName ?? null}::text, last_name), email = coalesce(${accepted.email ?? null}::text, email),
        updated_at = ${now}::timestamptz
      where id = ${contactId}::uuid`;
    // The visitor's earlier chats show the address too.
    if (contactClaimed)
      await tx.$executeRaw`
        update conversations set contact_claimed = true, updated_at = ${now}::timestamptz
        where workspace_id = ${workspaceId}::uuid and contact_id = ${contactId}::uuid and channel = 'webchat'
          and not contact_claimed`;
  }
  await tx.$executeRaw`
    update visitors set contact_id = ${after.contactId}::uuid, contact_claimed = ${contactClaimed}::boolean
    where token_hash = ${visitor.tokenHash}`;
  // The visitor's message starts a new conversation, which gets the new contact.
  if (owner !== undefined && conversation.record.status === 'closed') return after;
  const entry = {
    kind: 'introduced',
    data: { name: accepted.name ?? null, email: accepted.email ?? null },
  } as const;
  const change = changeOf({ columns: after, entries: [entry] });
  await persistChange(tx, conversation, { actor: { kind: 'contact' }, change, now });
  if (owner !== undefined) await removeUnused(tx, contactId);
  return after;
}

/** Locks the contact, so that no conversation can start with it: `removeUnused` may delete it. */
async function lockContact(tx: SqlDb, id: string): Promise<{ isNamed: boolean; email: string | null }> {
  const [known] = await tx.$queryRaw<{ isNamed: boolean; email: string | null }[]>`
    select coalesce(first_name, last_name) is not null as "isNamed", email from contacts
    where id = ${id}::uuid for update`;
  if (!known) throw new Error('The contact of a visitor is gone.');
  return known;
}

async function findOwner(
  tx: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string | undefined },
): Promise<string | undefined> {
  if (email === undefined) return undefined;
  const [owner] = await tx.$queryRaw<{ id: string | null }[]>`
    select ${contactIdWithEmail({ workspaceId, email })} as id`;
  return owner?.id ?? undefined;
}

/** Deletes a contact without details, visitors and conversations, merged ones included. */
async function removeUnused(tx: SqlDb, id: string): Promise<void> {
  await tx.$executeRaw`
    delete from contacts p
    where id = ${id}::uuid and num_nonnulls(first_name, last_name, email, phone, city, language, company_id) = 0
      and not exists (select from conversations c where c.workspace_id = p.workspace_id and c.contact_id = p.id)
      and not exists (select from visitors v where v.workspace_id = p.workspace_id and v.contact_id = p.id)`;
}
