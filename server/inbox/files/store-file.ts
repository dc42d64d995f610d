import { v7 as uuidv7 } from 'uuid';
import { db } from '#server/core/database/prisma.ts';
import { cleanFileName } from '#server/inbox/files/clean-file-name.ts';
import { CONTENT_PREFIX_BYTES, knownContentType } from '#server/inbox/files/content-types.ts';
import { fileStore, storeOfNewFiles } from '#server/inbox/files/file-store.ts';
import { reserving } from '#server/inbox/files/reserving.ts';

/** A file from a channel. The sender chooses the name and the type. */
type IncomingFile = {
  name: string;
  contentType: string;
  source: AsyncIterable<Uint8Array>;
  /** A file of at most this size, in bytes, may use the reserve of the quota. Default: 0. */
  reserveMaxBytes?: number;
  /** Lifetime in ms unless a message links the file. Default: an hour, far longer than any request. */
  unlinkedMs?: number;
};

/** A stored file, not linked to a message yet. Name and type are sanitized. */
export type StoredFile = {
  id: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  /** True for a picture that the HTML of an email or the formatting of a reply shows by its Content-ID. */
  inline?: boolean;
  contentId?: string | null;
};

const UNLINKED_MS = 3_600_000;

/** Lifetime of a file in a teammate's draft, in ms. The draft may stay open over a weekend. */
export const DRAFT_FILE_MS = 7 * 86_400_000;

/**
 * Stores a file outside of any transaction, and sanitizes its name and type, whatever the channel. Room for its bytes is
 * reserved before they are written. `fileRows` then links it to a message; a job removes files that stay unlinked.
 * @throws Refusal when the quota is used up, and errors of `source`; the file is then discarded
 */
export async function storeFile(
  workspaceId: string,
  { name, contentType, source, reserveMaxBytes = 0, unlinkedMs = UNLINKED_MS }: IncomingFile,
): Promise<StoredFile> {
  const store = storeOfNewFiles();
  const id = uuidv7();
  // After a crash during the upload, the file is in no draft.
  const uploadEnd = new Date(Date.now() + UNLINKED_MS);
  await db().storedFile.create({ data: { id, workspaceId, store, expiresAt: uploadEnd } });
  try {
    const prefix = { bytes: Buffer.alloc(0) };
    const bytes = reserving(recordPrefix(source, prefix), { id, workspaceId, reserveMaxBytes });
    const { sizeBytes } = await (await fileStore(store)).write(id, bytes);
    const expiresAt = new Date(Date.now() + unlinkedMs);
    await db().storedFile.update({ where: { id }, data: { sizeBytes, expiresAt } });
    const kind = knownContentType(contentType, prefix.bytes);
    return { id, name: cleanFileName(name), contentType: kind, sizeBytes };
  } catch (error) {
    // The store kept nothing, so nothing stays reserved.
    await db().storedFile.updateMany({ where: { id }, data: { sizeBytes: null, expiresAt: new Date(0) } });
    throw error;
  }
}

/** Passes a stream through and records its first bytes, which identify a picture. */
async function* recordPrefix(source: AsyncIterable<Uint8Array>, prefix: { bytes: Buffer }) {
  for await (const piece of source) {
    const missing = CONTENT_PREFIX_BYTES - prefix.bytes.length;
    if (missing > 0) prefix.bytes = Buffer.concat([prefix.bytes, piece.subarray(0, missing)]);
    yield piece;
  }
}

/** Marks stored files for the next cleanup, in one statement. Linked files stay. */
export async function discardFiles(ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db().storedFile.updateMany({
    where: { id: { in: ids }, expiresAt: { not: null } },
    data: { expiresAt: new Date(0) },
  });
}
