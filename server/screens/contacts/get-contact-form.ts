import type { Db } from '#server/core/database/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { listCompanies } from '#server/screens/contacts/contacts-list-companies.ts';
import { readContact } from '#server/screens/contacts/get-contact.ts';
import { mayChangeContacts } from '#server/screens/contacts/may-change.ts';
import type { ContactFormView } from '#server/screens/contacts/views.ts';

/**
 * What the form of a contact begins with, or that this teammate may not change it; null when the workspace has no
 * contact of this id.
 * @param id any text; undefined: someone new
 */
export async function getContactForm(
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
