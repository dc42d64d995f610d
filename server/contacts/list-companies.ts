import { validate as isUuid } from 'uuid';
import type { CompanyChoices } from '#server/contacts/views.ts';
import type { Db } from '#server/db.ts';

/** How many companies a select offers; others are chosen by typing their name. */
const CHOICES_MAX = 200;

/** The companies that a contact can be linked to, by name. */
export async function listCompanies(db: Db, workspaceId: string): Promise<CompanyChoices> {
  const rows = await db.company.findMany({
    where: { workspaceId },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: CHOICES_MAX + 1,
  });
  return { rows: rows.slice(0, CHOICES_MAX), areAll: rows.length <= CHOICES_MAX };
}

/** A company of the workspace, or null when it has none of this id; any text. */
export async function findCompany(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string } | null> {
  if (!isUuid(id)) return null;
  const where = { workspaceId_id: { workspaceId, id } };
  return db.company.findUnique({ where, select: { id: true, name: true } });
}
