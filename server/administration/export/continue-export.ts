import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import {
  type ArchiveState,
  archiveEntries,
  FIRST,
  nameOfStep,
  stepNamed,
} from '#server/administration/export/archive-entries.ts';
import { EXPORT_DAYS } from '#server/administration/export/request-export.ts';
import { zipOf } from '#server/administration/privacy/write-zip.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { log } from '#server/core/log.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { fileStore, storeOfNewFiles } from '#server/inbox/files/file-store.ts';

/** Size of an archive in bytes before compression, apart from its last file. */
const ARCHIVE_BYTES = 256 * 1024 * 1024;
/** Lifetime of an archive that is being written, in ms. After a crash it is removed. */
const WRITING_MS = 6 * 3_600_000;
/** Interval of the progress that open pages show, in ms. */
const PROGRESS_MS = 2_000;

/** `name`: of the table or list of files, in case an update changes their number while the export runs. */
const cursorSchema = z
  .object({
    step: z.int(),
    name: z.string().optional(),
    from: z.string().nullable(),
    after: z.array(z.string()).nullable(),
  })
  .transform(({ name, step, ...position }) => ({ step: stepNamed(name, step), ...position }))
  .nullable();

/**
 * Writes the next archive of an export into the file store, and queues a job for the one after it. After a crash another job writes the
 * same archive again. Of two workers that write the same one, the first stores it. Rows are read in pages, so memory is bounded.
 */
export async function continueExport(exportId: string, { archiveBytes = ARCHIVE_BYTES } = {}): Promise<void> {
  const current = await db().workspaceExport.findFirst({
    where: { id: exportId, finishedAt: null, failedAt: null, workspace: { deletedAt: null } },
    select: { workspaceId: true, cursor: true, archives: { select: { rows: true, files: true } } },
  });
  if (!current) return;
  const number = current.archives.length + 1;
  const before = { workspaceId: current.workspaceId, ...sumOf(current.archives) };
  const state: ArchiveState = {
    cursor: cursorSchema.parse(current.cursor) ?? FIRST,
    rows: 0,
    files: 0,
    bytes: 0,
    isFull: false,
  };
  const { fileId, sizeBytes } = await writeArchive(state, { exportId, archiveBytes, before });
  const isStored = await inTransaction((tx) =>
    storeArchive(tx, { exportId, fileId, sizeBytes, number, state }),
  );
  if (!isStored) await expire(fileId);
  else log().info({ exportId, number, sizeBytes }, 'export.archive_written');
}

type Before = { workspaceId: string; rows: number; files: number };

async function writeArchive(
  state: ArchiveState,
  { exportId, archiveBytes, before }: { exportId: string; archiveBytes: number; before: Before },
): Promise<{ fileId: string; sizeBytes: number }> {
  const fileId = uuidv7();
  const store = storeOfNewFiles();
  const expiresAt = new Date(Date.now() + WRITING_MS);
  // Without a workspace: an export does not use its quota.
  await db().storedFile.create({ data: { id: fileId, store, expiresAt }, select: { id: true } });
  let shownAt = performance.now();
  const onProgress = async () => {
    if (performance.now() < shownAt + PROGRESS_MS) return;
    shownAt = performance.now();
    await db().workspaceExport.updateMany({
      where: { id: exportId, finishedAt: null },
      data: { rows: before.rows + state.rows, files: before.files + state.files },
    });
  };
  try {
    const archive = zipOf(archiveEntries(before.workspaceId, state, { maxBytes: archiveBytes, onProgress }));
    return { fileId, ...(await (await fileStore(store)).write(fileId, archive)) };
  } catch (error) {
    await expire(fileId);
    throw error;
  }
}

type Written = { exportId: string; fileId: string; sizeBytes: number; number: number; state: ArchiveState };

/** Stores an archive unless another worker did, and finishes the export with the last one. */
async function storeArchive(
  tx: Tx,
  { exportId, fileId, sizeBytes, number, state }: Written,
): Promise<boolean> {
  await tx.$executeRaw`select from workspace_exports where id = ${exportId}::uuid for update`;
  const current = await tx.workspaceExport.findFirst({
    where: { id: exportId, finishedAt: null, failedAt: null },
    select: { archives: { select: { id: true, rows: true, files: true } } },
  });
  if (current?.archives.length !== number - 1) return false;
  const { rows, files } = state;
  await tx.workspaceExportArchive.create({
    data: { id: fileId, exportId, number, sizeBytes, rows, files },
    select: { id: true },
  });
  const now = new Date();
  const expiresAt = new Date(now.getTime() + EXPORT_DAYS * 86_400_000);
  await tx.workspaceExport.update({
    where: { id: exportId },
    data: {
      ...sumOf([...current.archives, { rows, files }]),
      progressedAt: now,
      cursor: state.isFull ? { ...state.cursor, name: nameOfStep(state.cursor.step) } : Prisma.DbNull,
      ...(state.isFull ? {} : { finishedAt: now, expiresAt }),
    },
    select: { id: true },
  });
  // All archives expire together. While the export runs, they must not.
  const ids = [...current.archives.map(({ id }) => id), fileId];
  await tx.storedFile.updateMany({
    where: { id: { in: ids } },
    data: { expiresAt: state.isFull ? new Date(now.getTime() + 365 * 86_400_000) : expiresAt },
  });
  await tx.storedFile.update({ where: { id: fileId }, data: { sizeBytes }, select: { id: true } });
  if (state.isFull) await queueJob(tx, 'export-workspace', { exportId }, { queue: 'exports' });
  else await queueJob(tx, 'mail-export', { exportId });
  return true;
}

function sumOf(archives: { rows: number; files: number }[]): { rows: number; files: number } {
  return {
    rows: archives.reduce((sum, { rows }) => sum + rows, 0),
    files: archives.reduce((sum, { files }) => sum + files, 0),
  };
}

async function expire(fileId: string): Promise<void> {
  await db().storedFile.updateMany({ where: { id: fileId }, data: { expiresAt: new Date(0) } });
}
