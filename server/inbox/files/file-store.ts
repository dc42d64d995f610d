import type { Readable } from 'node:stream';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { processState } from '#server/core/process-state.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { databaseStore } from '#server/inbox/files/database-store.ts';
import type { FileStore, StoreName } from '#server/inbox/files/file-store-type.ts';

/** Returns the store for new files: the S3-compatible store if `S3_URL` is set, else the database. */
export function storeOfNewFiles(): StoreName {
  return settings().S3_URL === undefined ? 'database' : 's3';
}

/**
 * Returns a store by its name. Files stay in their store when `S3_URL` changes later.
 * @throws for `s3` when `S3_URL` is not set
 */
export async function fileStore(name: StoreName): Promise<FileStore> {
  if (name === 'database') return databaseStore;
  return openedS3Store();
}

/** Imports the S3 client lazily: loading it takes half a second. */
const openedS3Store = processState(async (): Promise<FileStore> => {
  const { S3_URL } = settings();
  if (S3_URL === undefined) throw new Error('The file is in an S3-compatible store, and S3_URL is not set.');
  const { s3Store } = await import('#server/inbox/files/s3-store.ts');
  return s3Store(S3_URL);
});

/** Returns the condition that a file has not expired, so that its content must exist. */
export function notExpired(): Prisma.StoredFileWhereInput {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}

/**
 * Opens a stored file as a stream.
 * @throws when the file does not exist
 */
export async function openFile(id: string): Promise<Readable> {
  const { store } = await db().storedFile.findUniqueOrThrow({ where: { id }, select: { store: true } });
  return (await fileStore(asStoreName(store))).read(id);
}

/** Narrows the column's type. A check constraint allows only these two values. */
function asStoreName(store: string): StoreName {
  return store === 's3' ? 's3' : 'database';
}
