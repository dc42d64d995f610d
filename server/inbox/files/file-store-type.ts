import type { Readable } from 'node:stream';

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

/** How much of a body is held in memory at most while its files go to a store, in bytes. */
export const HELD_BYTES: Record<StoreName, number> = {
  database: 1024 * 1024,
  // A part of an upload is 5 MiB at least, and the next one is collected while it is sent.
  s3: 12 * 1024 * 1024,
};
