import { type Db, db, inTransaction } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';

/** How much the files of a workspace take, and may take (`FILES_QUOTA_MB`), in bytes. */
export type FileUsage = { usedBytes: number; quotaBytes: number };

/** Reads how much of its quota a workspace has used. What is not linked yet counts until it is removed. */
export async function readFileUsage(client: Db, workspaceId: string): Promise<FileUsage> {
  const { _sum } = await client.storedFile.aggregate({ where: { workspaceId }, _sum: { sizeBytes: true } });
  return { usedBytes: _sum.sizeBytes ?? 0, quotaBytes: settings().FILES_QUOTA_MB * 1_000_000 };
}

/** Whether a workspace has room for another file, however small. */
export async function hasRoom(workspaceId: string): Promise<boolean> {
  const { usedBytes, quotaBytes } = await readFileUsage(db(), workspaceId);
  return usedBytes < quotaBytes;
}

/**
 * Notes the size of a file that is stored now, unless the workspace then had more than its quota. Files that are
 * finished at once are judged one after the other.
 * @returns false when there is no room for it
 */
export async function countTowardsQuota(file: {
  id: string;
  workspaceId: string;
  sizeBytes: number;
}): Promise<boolean> {
  const { id, workspaceId, sizeBytes } = file;
  return inTransaction(async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`files of ${workspaceId}`}, 0))`;
    const { usedBytes, quotaBytes } = await readFileUsage(tx, workspaceId);
    if (usedBytes + sizeBytes > quotaBytes) return false;
    const { count } = await tx.storedFile.updateMany({ where: { id, sizeBytes: null }, data: { sizeBytes } });
    return count === 1;
  });
}
