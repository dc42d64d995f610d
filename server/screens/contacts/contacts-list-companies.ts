import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/db.ts';
import type { CompanyChoices } from '#server/screens/contacts/views.ts';

/** How many companies a select offers; others are chosen by typing their name. */
const CHOICES_MAX = 200;

/** The companies that a contact can be linked to, by name. */
export async function listCompanies(db: Db, workspaceId: string): Promise<CompanyChoices> {
  const rows = await db.$queryRaw<CompanyChoices['rows']>`
    select id, name from companies where workspace_id = ${workspaceId}::uuid and deleted_at is null
    order by lower(name), id limit ${CHOICES_MAX + 1}::int`;
  return { rows: rows.slice(0, CHOICES_MAX), areAll: rows.length <= CHOICES_MAX };
}

/** A company of the workspace, or null when it has none of this id; any text. */
export async function findCompany(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string } | null> {
  if (!isUuid(id)) return null;
  const where = { workspaceId, id, deletedAt: null };
  return db.company.findFirst({ where, select: { id: true, name: true } });
}
