import { contactName } from '#server/contacts/contact-record.ts';
import type { Db } from '#server/db.ts';
import { invalid, type Refusal } from '#server/errors.ts';

/**
 * The refusal of an address that another contact of the workspace has. It names that contact, or the address
 * itself if the contact has no name, under `email` and `email_duplicate` (spec.md §7; decisions: contacts, 12).
 * @param email lowercase
 */
export async function duplicateEmail(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<Refusal> {
  const owner = await db.contact.findUnique({
    where: { workspaceId_email: { workspaceId, email } },
    select: { firstName: true, lastName: true },
  });
  const sentence = `This address already belongs to ${(owner && contactName(owner)) ?? email}.`;
  return invalid({ email: [sentence], email_duplicate: [sentence] });
}
