import { type Db, db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

/** Bytes that the files of a workspace use, and their quota (`FILES_QUOTA_MB`). */
export type FileUsage = { usedBytes: number; quotaBytes: number };

/** Returns the file usage of a workspace. Unlinked files count until they are removed. */
export async function readFileUsage(client: Db, workspaceId: string): Promise<FileUsage> {
  const { _sum } = await client.storedFile.aggregate({ where: { workspaceId }, _sum: { sizeBytes: true } });
  return { usedBytes: _sum.sizeBytes ?? 0, quotaBytes: settings().FILES_QUOTA_MB * 1_000_000 };
}

/** Share of the quota reserved for small emails, so that large files never block them. */
const RESERVED_SHARE = 0.1;
/** Share of the quota at which owners and admins are warned, and the minimum days between two warnings. */
const WARNED_SHARE = 0.8;
const WARNED_AGAIN_DAYS = 7;

/** Returns true when a workspace has room for another file, however small. */
export async function hasRoom(workspaceId: string): Promise<boolean> {
  const usage = await readFileUsage(db(), workspaceId);
  return usage.usedBytes < roomOf(usage, { usesReserve: false });
}

/** Returns the upper bound on the total bytes of all files, with or without the reserve. */
function roomOf({ quotaBytes }: FileUsage, { usesReserve }: { usesReserve: boolean }): number {
  return usesReserve ? quotaBytes : quotaBytes * (1 - RESERVED_SHARE);
}

/**
 * Reserves room for the next bytes of a file, unless the workspace is out of space. An advisory lock serializes files of a
 * workspace. Warns owners and admins when most of the quota is used.
 * @returns false when the quota has no room for them
 */
export async function reserveBytes(file: {
  id: string;
  workspaceId: string;
  bytes: number;
  /** True when the file may use the reserve for small emails. */
  usesReserve: boolean;
}): Promise<boolean> {
  const { id, workspaceId, bytes } = file;
  return inTransaction(async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`files of ${workspaceId}`}, 0))`;
    const usage = await readFileUsage(tx, workspaceId);
    const usedBytes = usage.usedBytes + bytes;
    if (usedBytes > roomOf(usage, file)) return false;
    const count = await tx.$executeRaw`
      update stored_files set size_bytes = coalesce(size_bytes, 0) + ${bytes}::int where id = ${id}::uuid`;
    const warnedBytes = usage.quotaBytes * WARNED_SHARE;
    if (usage.usedBytes < warnedBytes && usedBytes >= warnedBytes) {
      await warnManagers(tx, workspaceId, { ...usage, usedBytes });
    }
    return count === 1;
  });
}

/** Warns owners and admins at most once in `WARNED_AGAIN_DAYS`, as usage can cross the threshold repeatedly. */
async function warnManagers(tx: Tx, workspaceId: string, usage: FileUsage): Promise<void> {
  const now = new Date();
  const warnedAgainAfter = new Date(now.getTime() - WARNED_AGAIN_DAYS * 86_400_000);
  const where = { workspaceId, kind: 'storage_low', createdAt: { gt: warnedAgainAfter } };
  if ((await tx.notification.count({ where })) > 0) return;
  await notifyManagers(tx, { workspaceId, content: { kind: 'storage_low', data: usage }, now });
}
