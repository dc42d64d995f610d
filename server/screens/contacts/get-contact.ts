import { validate as isUuid } from 'uuid';
import { contactName, contactSelect } from '#server/contacts/contact-record.ts';
import type { Db } from '#server/core/database/db.ts';
import { unlessDeleted } from '#server/core/database/unless-deleted.ts';
import { COLLEAGUES_MAX, type ContactView, type KnownContact } from '#server/screens/contacts/views.ts';

/** What is known of a contact, or null when the workspace has none of this id; any text. */
export async function readContact(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<KnownContact | null> {
  const contact = isUuid(id)
    ? await db.contact.findUnique({
        where: { workspaceId_id: { workspaceId, id } },
        select: contactSelect,
        relationLoadStrategy: 'join',
      })
    : null;
  if (!contact) return null;
  const { firstName, lastName, company, ...known } = contact;
  return { ...known, name: contactName({ firstName, lastName }), company: unlessDeleted(company) };
}

/** A contact as its page shows it, or null when the workspace has none of this id; any text. */
export async function getContact(
  db: Db,
  { workspaceId, id, mayChange }: { workspaceId: string; id: string; mayChange: boolean },
): Promise<ContactView | null> {
  const contact = await readContact(db, { workspaceId, id });
  if (!contact) return null;
  const { company } = contact;
  const colleagues = company ? await countColleagues(db, { workspaceId, id, companyId: company.id }) : 0;
  return { ...contact, colleagues, mayChange };
}

async function countColleagues(
  db: Db,
  { workspaceId, id, companyId }: { workspaceId: string; id: string; companyId: string },
): Promise<number> {
  const [found] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from (
      select from contacts
      where workspace_id = ${workspaceId}::uuid and company_id = ${companyId}::uuid and not is_test and id <> ${id}::uuid
      limit ${COLLEAGUES_MAX}::int) colleagues`;
  return found?.count ?? 0;
}
