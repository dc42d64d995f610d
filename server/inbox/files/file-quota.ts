import { type Db, db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

/** How much the files of a workspace take, and may take (`FILES_QUOTA_MB`), in bytes. */
export type FileUsage = { usedBytes: number; quotaBytes: number };

/** Reads how much of its quota a workspace has used. What is not linked yet counts until it is removed. */
export async function readFileUsage(client: Db, workspaceId: string): Promise<FileUsage> {
  const { _sum } = await client.storedFile.aggregate({ where: { workspaceId }, _sum: { sizeBytes: true } });
  return { usedBytes: _sum.sizeBytes ?? 0, quotaBytes: settings().FILES_QUOTA_MB * 1_000_000 };
}

/** Share of the quota that only small emails use, so that large files never keep them out. */
const RESERVED_SHARE = 0.1;
/** Share of the quota at which owners and admins are warned, and how long they are not warned again, in days. */
const WARNED_SHARE = 0.8;
const WARNED_AGAIN_DAYS = 7;

/** Returns whether a workspace has room for another file, however small. */
export async function hasRoom(workspaceId: string): Promise<boolean> {
  const usage = await readFileUsage(db(), workspaceId);
  return usage.usedBytes < roomOf(usage, { usesReserve: false });
}

/** Returns how many bytes all files together may have with another file of a kind. */
function roomOf({ quotaBytes }: FileUsage, { usesReserve }: { usesReserve: boolean }): number {
  return usesReserve ? quotaBytes : quotaBytes * (1 - RESERVED_SHARE);
}

/**
 * Saves the size of a file that was just stored, unless the workspace has no room for it. An advisory lock lets files that
 * are finished at the same time follow one another. Warns owners and admins when most of the quota is used.
 * @returns false when there is no room for it
 */
export async function countTowardsQuota(file: {
  id: string;
  workspaceId: string;
  sizeBytes: number;
  /** Whether it may use the share that is reserved for small emails. */
  usesReserve: boolean;
}): Promise<boolean> {
  const { id, workspaceId, sizeBytes } = file;
  return inTransaction(async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`files of ${workspaceId}`}, 0))`;
    const usage = await readFileUsage(tx, workspaceId);
    const usedBytes = usage.usedBytes + sizeBytes;
    if (usedBytes > roomOf(usage, file)) return false;
    const { count } = await tx.storedFile.updateMany({ where: { id, sizeBytes: null }, data: { sizeBytes } });
    const warnedBytes = usage.quotaBytes * WARNED_SHARE;
    if (usage.usedBytes < warnedBytes && usedBytes >= warnedBytes) {
      await warnManagers(tx, workspaceId, { ...usage, usedBytes });
    }
    return count === 1;
  });
}

/** Warns owners and admins, unless they were warned a short time ago: files come and go around the limit. */
async function warnManagers(tx: Tx, workspaceId: string, usage: FileUsage): Promise<void> {
  const now = new Date();
  const warnedAgainAfter = new Date(now.getTime() - WARNED_AGAIN_DAYS * 86_400_000);
  const where = { workspaceId, kind: 'storage_low', createdAt: { gt: warnedAgainAfter } };
  if ((await tx.notification.count({ where })) > 0) return;
  await notifyManagers(tx, { workspaceId, content: { kind: 'storage_low', data: usage }, now });
}
