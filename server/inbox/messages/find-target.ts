import { contactOfIdentity } from '#server/contacts/contact-of-identity.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { findUnverifiedSender } from '#server/inbox/messages/find-unverified-sender.ts';
import type { IncomingMessage, Place, Target } from '#server/inbox/messages/incoming-message.ts';

/** Finds the target of a message, in the transaction that stores it and before any conversation is locked. */
export async function findTarget(tx: SqlDb, message: IncomingMessage, place: Place): Promise<Target> {
  switch (place.kind) {
    case 'known':
      return place.target;
    case 'thread':
      return findThread(tx, message, place);
    case 'unverified':
      return findUnverified(tx, message, place);
  }
}

/** Finds the target of a provider's message: the sender's contact and the newest conversation of the thread. */
async function findThread(
  tx: SqlDb,
  { workspaceId, channelAccountId = null, externalThreadId = null }: IncomingMessage,
  { identity }: Extract<Place, { kind: 'thread' }>,
): Promise<Target> {
  const isOfAccount =
    channelAccountId === null ? Prisma.sql`is null` : Prisma.sql`= ${channelAccountId}::uuid`;
  const id = await contactOfIdentity(tx, { workspaceId, identity, now: new Date() });
  const [conversation] = await tx.$queryRaw<{ id: string }[]>`
    select id from conversations
    where workspace_id = ${workspaceId}::uuid and channel_account_id ${isOfAccount}
      and external_thread_id = ${externalThreadId}::text
    order by created_at desc limit 1`;
  const contactClaimed = (identity.claimedEmail ?? null) !== null;
  return { conversationId: conversation?.id ?? null, contact: { id }, contactClaimed };
}

/**
 * Finds the target of a mail whose author is not verified: a new conversation. If the mail failed authentication,
 * its contact only claims the address, and is separate from the address's owner (docs/rulings.md 3.13). If the domain
 * proves nothing (`unknown`), the mail is from the owner of the address, but it never takes over an address that is
 * only claimed. Mails that claim an address have one contact, so that they do not create one each.
 */
async function findUnverified(
  tx: SqlDb,
  { workspaceId }: IncomingMessage,
  { fields, authentication }: Extract<Place, { kind: 'unverified' }>,
): Promise<Target> {
  const { email, name } = fields;
  const at = { conversationId: null, contactClaimed: true };
  if (email === undefined) return { ...at, contact: { fields: {} } };
  if (authentication === 'unknown' && !(await isOnlyClaimed(tx, { workspaceId, email }))) {
    return { conversationId: null, contact: { fields }, contactClaimed: false };
  }
  const id = await findUnverifiedSender(tx, { workspaceId, email });
  return { ...at, contact: id === undefined ? { fields: { name }, claimedEmail: email } : { id } };
}

/** Returns whether contacts claim the address and none has it. */
async function isOnlyClaimed(
  tx: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isOnlyClaimed: boolean }[]>`
    select ${contactIdWithEmail({ workspaceId, email })} is null and exists (
      select from contacts p
      where p.workspace_id = ${workspaceId}::uuid and p.claimed_email = ${email} and p.email is null
    ) as "isOnlyClaimed"`;
  return row?.isOnlyClaimed ?? false;
}
