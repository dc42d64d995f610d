import { db } from '#server/core/database/db.ts';

/** Has the next clean-up remove stored files, in one statement. Those that a message links stay. */
export async function discardFiles(ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db().storedFile.updateMany({
    where: { id: { in: ids }, expiresAt: { not: null } },
    data: { expiresAt: new Date(0) },
  });
}
