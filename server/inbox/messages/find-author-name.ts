import { contactLabel } from '#server/contacts/contact-label.ts';
import type { Sender } from '#server/contacts/find-or-create-contact.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { cleanName } from '#server/core/text.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { IncomingMessage } from '#server/inbox/messages/incoming-message.ts';

/**
 * Returns the name of a message's author, else the author's address; null for the conversation's contact, whose current
 * name the thread shows. Others write after a merge, as people in copy of an email, and in a Slack thread.
 */
export async function findAuthorName(
  tx: SqlDb,
  conversation: LockedConversation,
  { message, sender }: { message: IncomingMessage; sender: Sender },
): Promise<string | null> {
  const name = cleanName(message.senderName ?? '');
  const email = message.mail?.author ?? null;
  if (email !== null) {
    return (await isContactAddress(tx, conversation, email)) ? null : name || shownEmail(email);
  }
  const contactId = conversation.record.contact?.id ?? null;
  if (!('id' in sender) || sender.id === contactId) return null;
  return name || (await labelOfOther(tx, conversation, sender.id));
}

/** Returns whether an address is one of the conversation's contact, also if the contact only claims it. */
async function isContactAddress(
  tx: SqlDb,
  { workspaceId, record: { contact } }: LockedConversation,
  email: string,
): Promise<boolean> {
  if (contact === null) return false;
  if (contact.email === email) return true;
  const [found] = await tx.$queryRaw<unknown[]>`
    select 1 from contacts
    where workspace_id = ${workspaceId}::uuid and id = ${contact.id}::uuid and ${email} in (email, claimed_email)
    union all
    select 1 from contact_identities
    where workspace_id = ${workspaceId}::uuid and contact_id = ${contact.id}::uuid and channel = 'email'
      and external_id = ${email}
    limit 1`;
  return found !== undefined;
}

type Other = {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  isLinked: boolean;
};

/** Returns the label of another contact; null if a teammate linked it to the conversation's contact. */
async function labelOfOther(
  tx: SqlDb,
  { workspaceId, record: { contact } }: LockedConversation,
  id: string,
): Promise<string | null> {
  const [other] = await tx.$queryRaw<Other[]>`
    select k.id, k.first_name as "firstName", k.last_name as "lastName", k.email, k.phone,
      exists (select from contact_links l where l.contact_id = k.id and l.owner_id = ${contact?.id ?? null}::uuid) as "isLinked"
    from contacts k where k.workspace_id = ${workspaceId}::uuid and k.id = ${id}::uuid`;
  return !other || other.isLinked ? null : contactLabel(other);
}
