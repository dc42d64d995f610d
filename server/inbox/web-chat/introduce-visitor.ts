import { linkCompany } from '#server/contacts/company-of-email.ts';
import { contactFieldColumns } from '#server/contacts/contact-fields.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';

/** A visitor who has written, with their row locked. */
export type WrittenVisitor = {
  tokenHash: Uint8Array<ArrayBuffer>;
  workspaceId: string;
  contactId: string;
  contactClaimed: boolean;
  conversationId: string;
};

/** What a visitor says of themselves. The address is in lowercase, and no one verified it. */
export type Introduction = { name?: string | undefined; email?: string | undefined };

/** Who the visitor is from now on. */
type Introduced = { contactId: string; contactClaimed: boolean };

/**
 * Keeps what a visitor says of themselves after their first message (decisions: conversations and contacts, 13 and 14).
 * A name or a new address is kept on their own contact, as far as it has none. An address that another contact has
 * links the conversation that they write in to that one, of whom nothing is changed; their contact so far keeps their
 * earlier conversations, and is removed when it has none and nothing is known of it. Who has claimed an address says no
 * more: the contact may be someone else's. Emits nothing.
 * @throws a violation of the unique index when someone else takes the address at the same moment: then it is a contact
 *   to link to
 */
export async function introduceVisitor(
  tx: SqlDb,
  visitor: WrittenVisitor,
  { name, email }: Introduction,
  now: Date,
): Promise<Introduced> {
  const { workspaceId, contactId } = visitor;
  const before = { contactId, contactClaimed: visitor.contactClaimed };
  if (before.contactClaimed || (name === undefined && email === undefined)) return before;
  const conversation = await lockConversation(tx, { workspaceId, id: visitor.conversationId });
  const known = await lockContact(tx, before.contactId);
  const said = {
    name: known.isNamed ? undefined : name,
    email: known.email === null ? email : undefined,
  };
  if (said.name === undefined && said.email === undefined) return before;

  const owner = await findOwner(tx, { workspaceId, email: said.email });
  const contactClaimed = said.email !== undefined;
  const after = { contactId: owner ?? contactId, contactClaimed };
  if (owner === undefined) {
    if (said.email !== undefined) await linkCompany(tx, { workspaceId, id: contactId, email: said.email });
    const { firstName, lastName } = contactFieldColumns(said);
    await tx.$executeRaw`
      update contacts set first_name = coalesce(${firstName ?? null}::text, first_name),
        last_name = coalesce(${lastName ?? null}::text, last_name), email = coalesce(${said.email ?? null}::text, email),
        updated_at = ${now}::timestamptz
      where id = ${contactId}::uuid`;
    // Their earlier chats show the address too.
    if (contactClaimed)
      await tx.$executeRaw`
        update conversations set contact_claimed = true, updated_at = ${now}::timestamptz
        where workspace_id = ${workspaceId}::uuid and contact_id = ${contactId}::uuid and channel = 'webchat'
          and not contact_claimed`;
  }
  await tx.$executeRaw`
    update visitors set contact_id = ${after.contactId}::uuid, contact_claimed = ${contactClaimed}::boolean
    where token_hash = ${visitor.tokenHash}`;
  // What is written now starts another one, which is of who they are now.
  if (owner !== undefined && conversation.record.status === 'closed') return after;
  const entry = { kind: 'introduced', data: { name: said.name ?? null, email: said.email ?? null } } as const;
  const change = changeOf({ columns: after, entries: [entry] });
  await persistChange(tx, conversation, { actor: { kind: 'contact' }, change, now });
  if (owner !== undefined) await removeEmptied(tx, contactId);
  return after;
}

/** Held so that no conversation is begun with it meanwhile: it may be removed. */
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
  const [owner] = await tx.$queryRaw<{ id: string }[]>`
    select id from contacts where workspace_id = ${workspaceId}::uuid and email = ${email}`;
  return owner?.id;
}

/** Removes a contact of whom nothing is known and who has no conversation left, merged ones among them. */
async function removeEmptied(tx: SqlDb, id: string): Promise<void> {
  await tx.$executeRaw`
    delete from contacts p
    where id = ${id}::uuid and num_nonnulls(first_name, last_name, email, phone, city, language, company_id) = 0
      and not exists (select from conversations c where c.workspace_id = p.workspace_id and c.contact_id = p.id)
      and not exists (select from visitors v where v.workspace_id = p.workspace_id and v.contact_id = p.id)`;
}
