import { companyWithDomain, domainOf } from '#server/contacts/company-of-email.ts';
import { contactWithEmail, type FoundContact } from '#server/contacts/find-or-create-contact.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { prepared } from '#server/core/database/prepared.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type MailboxRow, mailboxOf } from '#server/inbox/channels/email/mailboxes.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { addressOwner, type refuseOwnAddress } from '#server/inbox/messages/refuse-own-address.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';
import { assignable } from '#server/teammates/find-teammates.ts';

/** What a new conversation is made of. */
export type NewConversation = {
  workspaceId: string;
  actor: PersonalActor;
  /** Lowercase. */
  toEmail: string;
  toName: string | undefined;
  subject: string;
  content: string;
  /** Who gets a copy, and files that the teammate's page uploaded: from the inbox alone. */
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  files?: UploadedFile[] | undefined;
};

/** What a new conversation needs of what is there already. */
export type ConversationNeeds = {
  teammate: Teammate | null;
  owner: Parameters<typeof refuseOwnAddress>[0];
  mailbox: MailboxRow | null;
  contact: FoundContact | null;
  company: { id: string; name: string } | null;
};

/** The teammate, whose the address is, the mailbox, and the contact or, for someone new, their company. One round trip. */
export async function findConversationNeeds({
  workspaceId,
  actor,
  toEmail: email,
}: NewConversation): Promise<ConversationNeeds> {
  const one = (rows: Prisma.Sql) => Prisma.sql`(select to_json(found) from (${rows}) found limit 1)`;
  const [found] = await prepared().$queryRaw<ConversationNeeds[]>(Prisma.sql`
    select ${one(assignable({ workspaceId, id: actor.teammate.id }))} as teammate,
      ${one(addressOwner({ workspaceId, email }))} ->> 'owner' as owner,
      ${one(mailboxOf({ workspaceId, mailboxId: null }))} as mailbox,
      ${one(contactWithEmail({ workspaceId, email }))} as contact,
      ${one(companyWithDomain({ workspaceId, domain: domainOf(email) }))} as company`);
  if (!found) throw new Error('A statement without tables answered no row.');
  return found;
}
