import { db } from '#server/db.ts';

/** Whether a workspace has a contact of this id. */
export async function contactExists({
  workspaceId,
  id,
}: {
  workspaceId: string;
  /** A UUID. */
  id: string;
}): Promise<boolean> {
  const where = { workspaceId_id: { workspaceId, id } };
  return (await db().contact.findUnique({ where, select: { id: true } })) !== null;
}
