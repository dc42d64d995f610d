import type { Db } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Returns the contact that a merged contact's id stands for, or null (docs/rulings.md 3.14). Callers look up
 * the id itself first, so that a contact which was never merged costs nothing.
 * @param id a UUID
 */
export async function findMergedInto(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<string | null> {
  const alias = await db.contactAlias.findFirst({ where: { id, workspaceId }, select: { contactId: true } });
  return alias?.contactId ?? null;
}

/** Returns the SQL expression of the id itself, or of the contact that it stands for. */
export function remainingId({ workspaceId, id }: { workspaceId: string; id: string }): Prisma.Sql {
  return Prisma.sql`coalesce(
    (select contact_id from contact_aliases where id = ${id}::uuid and workspace_id = ${workspaceId}::uuid),
    ${id}::uuid)`;
}
