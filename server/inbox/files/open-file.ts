import type { Readable } from 'node:stream';
import { db } from '#server/core/database/db.ts';
import { fileStore } from '#server/inbox/files/file-store.ts';
import type { StoreName } from '#server/inbox/files/file-store-type.ts';

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
