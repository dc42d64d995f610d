import { validate as isUuid } from 'uuid';
import { findMergedInto } from '#server/contacts/contact-alias.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';

/** A contact and all that leads to it. */
export type ContactScope = {
  workspaceId: string;
  contactId: string;
  /** Proven email addresses, in lowercase. */
  emails: string[];
  /** `emails` and the address that the contact only claims: these are the contact's in its own conversations. */
  ownEmails: string[];
  /** Ids of merged contacts. */
  aliasIds: string[];
};

/**
 * Returns the scope of a contact.
 * @param which.contactId any text; the id of a merged contact is an alias
 * @throws Refusal when the workspace has no such contact
 */
export async function loadContactScope(
  db: Db,
  { workspaceId, contactId }: { workspaceId: string; contactId: string },
): Promise<ContactScope> {
  if (!isUuid(contactId)) throw notFound('The contact');
  const id = (await findMergedInto(db, { workspaceId, id: contactId })) ?? contactId.toLowerCase();
  const contact = await db.contact.findFirst({
    where: { workspaceId, id },
    select: {
      email: true,
      claimedEmail: true,
      identities: { where: { channel: 'email' }, select: { externalId: true } },
      aliases: { select: { id: true } },
    },
  });
  if (!contact) throw notFound('The contact');
  const emails = [
    ...(contact.email ? [contact.email] : []),
    ...contact.identities.map((each) => each.externalId),
  ];
  return {
    workspaceId,
    contactId: id,
    emails,
    ownEmails: [...emails, ...(contact.claimedEmail ? [contact.claimedEmail] : [])],
    aliasIds: contact.aliases.map((alias) => alias.id),
  };
}
