import type { Readable } from 'node:stream';
import { settings } from '#server/core/env.ts';
import { databaseStore } from '#server/inbox/files/database-store.ts';

/** Where the bytes of files are kept, under a key of ours that is used once. */
export type FileStore = {
  /** Stores what `source` gives, as it comes. Nothing is left of a source that fails. */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number }>;
  /**
   * Opens what is stored, to be read in pieces and no faster than it is taken.
   * @throws when nothing is stored under the key
   */
  read(key: string): Promise<Readable>;
  /** Removes what is stored; what is not there is no fault. */
  remove(keys: string[]): Promise<void>;
};

export type StoreName = 'database' | 's3';

const shared = globalThis as typeof globalThis & { serviceS3Store?: Promise<FileStore> };

/** Where new files go: to the S3-compatible store if `S3_URL` names one, else into the database. */
export function storeOfNewFiles(): StoreName {
  return settings().S3_URL === undefined ? 'database' : 's3';
}

/** How much of a body is held in memory at most while its files go to a store, in bytes. */
export const HELD_BYTES: Record<StoreName, number> = {
  database: 1024 * 1024,
  // A part of an upload is 5 MiB at least, and the next one is collected while it is sent.
  s3: 12 * 1024 * 1024,
};

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
