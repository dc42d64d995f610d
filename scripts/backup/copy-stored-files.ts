import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { checksumOf, storedFilePath } from '#scripts/backup/manifest.ts';
import { pool } from '#server/core/database/pools.ts';
import { codeOf, reasonOf, UserError } from '#server/core/user-error.ts';
import { fileStore } from '#server/inbox/files/file-store.ts';

/** A file of the S3 store. `isLinked`: a message or a saved reply has it. */
export type ListedFile = { id: string; sizeBytes: number | null; isLinked: boolean };

/** Lists the files of the S3 store in the client's transaction. Other files are rows. */
export async function listStoredFiles(client: Client): Promise<ListedFile[]> {
  const { rows } = await client.query<ListedFile>(
    `select id, size_bytes as "sizeBytes", expires_at is null as "isLinked" from stored_files where store = 's3' order by id`,
  );
  return rows;
}

/**
 * Copies files of the S3 store into a backup. Skips a file that is no longer, or not yet, in the store: an upload in progress, or
 * one that was removed since.
 * @returns the ids of the copied files
 * @throws UserError that names the file, when one of a message cannot be read or has another size
 */
export async function copyStoredFiles(
  files: ListedFile[],
  { folder, parallel, signal }: { folder: string; parallel: number; signal: AbortSignal },
): Promise<string[]> {
  const copied: string[] = [];
  await inParallel(files, parallel, async (file) => {
    signal.throwIfAborted();
    if (await copyOne(file, join(folder, storedFilePath(file.id)))) copied.push(file.id);
  });
  return copied.sort();
}

async function copyOne({ id, sizeBytes, isLinked }: ListedFile, path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await pipeline(await (await fileStore('s3')).read(id), createWriteStream(path, { flags: 'wx' }));
    const { bytes } = await checksumOf(path);
    if (!isLinked || bytes === sizeBytes) return true;
    throw new UserError(`has ${bytes} bytes instead of ${sizeBytes}`);
  } catch (error) {
    await rm(path, { force: true });
    if (isMissing(error) && (!isLinked || (await isRemoved(id)))) return false;
    throw new UserError(`The file ${id} in the S3 store cannot be copied: ${reasonOf(error)}.`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || codeOf(error) === 'NoSuchKey');
}

async function isRemoved(id: string): Promise<boolean> {
  const { rowCount } = await pool().query('select from stored_files where id = $1 and expires_at is null', [
    id,
  ]);
  return rowCount === 0;
}

/** Writes the files of a backup to the S3 store. Repeating it has no further effect, because a key has one content. */
export async function putStoredFiles(
  ids: string[],
  { folder, parallel }: { folder: string; parallel: number },
): Promise<void> {
  await inParallel(ids, parallel, async (id) => {
    const source = createReadStream(join(folder, storedFilePath(id)));
    await (await fileStore('s3')).write(id, source);
  });
}

/** Works on items, up to `parallel` of them at the same time. The first failure ends it. */
async function inParallel<T>(items: T[], parallel: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, lane));
}
