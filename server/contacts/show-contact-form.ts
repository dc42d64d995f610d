import { listCompanies } from '#server/contacts/list-companies.ts';
import { mayChangeContacts } from '#server/contacts/may-change.ts';
import { readContact } from '#server/contacts/open-contact.ts';
import type { ContactFormView } from '#server/contacts/views.ts';
import type { Db } from '#server/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/**
 * What the form of a contact begins with, or that this teammate may not change it; null when the workspace has no
 * contact of this id.
 * @param id any text; undefined: somebody new
 */
export async function showContactForm(
  db: Db,
  { workspaceId, id, role }: { workspaceId: string; id: string | undefined; role: Role },
): Promise<ContactFormView | null> {
  if (!mayChangeContacts(role)) return { kind: 'not_allowed', role };
  const [contact, companies] = await Promise.all([
    id === undefined ? null : readContact(db, { workspaceId, id }),
    listCompanies(db, workspaceId),
  ]);
  if (id !== undefined && contact === null) return null;
  return { kind: 'shown', contact, companies };
}
