import type { Readable } from 'node:stream';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { databaseStore } from '#server/inbox/files/database-store.ts';
import type { FileStore, StoreName } from '#server/inbox/files/file-store-type.ts';

const shared = globalThis as typeof globalThis & { serviceS3Store?: Promise<FileStore> };

/** Where new files go: to the S3-compatible store if `S3_URL` names one, else into the database. */
export function storeOfNewFiles(): StoreName {
  return settings().S3_URL === undefined ? 'database' : 's3';
}

/**
 * The store that a file is in. Files stay where they were when `S3_URL` is set or unset later.
 * @throws when the file is in the S3-compatible store and none is set
 */
export async function fileStore(name: StoreName): Promise<FileStore> {
  if (name === 'database') return databaseStore;
  shared.serviceS3Store ??= openS3Store();
  return shared.serviceS3Store;
}

/** Its client is loaded by those who use it alone: it takes half a second. */
async function openS3Store(): Promise<FileStore> {
  const { S3_URL } = settings();
  if (S3_URL === undefined) throw new Error('The file is in an S3-compatible store, and S3_URL is not set.');
  const { s3Store } = await import('#server/inbox/files/s3-store.ts');
  return s3Store(S3_URL);
}

/**
 * Opens a stored file, to be read in pieces.
 * @throws when it is not there
 */
export async function openFile(id: string): Promise<Readable> {
  const { store } = await db().storedFile.findUniqueOrThrow({ where: { id }, select: { store: true } });
  return (await fileStore(asStoreName(store))).read(id);
}

/** The column holds nothing else: a check sees to it. */
function asStoreName(store: string): StoreName {
  return store === 's3' ? 's3' : 'database';
}
