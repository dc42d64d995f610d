import { db } from '#server/core/database/db.ts';

/** Whether the platform may know a contact of this id: one from testing the AI agent does not exist for it. */
export async function contactExists({
  workspaceId,
  id,
}: {
  workspaceId: string;
  /** A UUID. */
  id: string;
}): Promise<boolean> {
  const where = { workspaceId_id: { workspaceId, id }, isTest: false };
  return (await db().contact.findUnique({ where, select: { id: true } })) !== null;
}
