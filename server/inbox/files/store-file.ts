import { v7 as uuidv7 } from 'uuid';
import { db } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { cleanFileName } from '#server/inbox/files/clean-file-name.ts';
import { CONTENT_BEGINNING_BYTES, knownContentType } from '#server/inbox/files/content-types.ts';
import { countTowardsQuota } from '#server/inbox/files/file-quota.ts';
import { fileStore, storeOfNewFiles } from '#server/inbox/files/file-store.ts';

/** A file that a channel passes on. Its name and type are what the sender says. */
type IncomingFile = {
  name: string;
  contentType: string;
  source: AsyncIterable<Uint8Array>;
  /** A file of up to this size may use the reserved share of the quota, in bytes. Without it, none does. */
  reserveMaxBytes?: number;
};

/** A file that is stored and not yet linked to a message; its name and kind are harmless. */
export type StoredFile = {
  id: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  /** A picture that is shown within a mail, which names it by its Content-ID. */
  inline?: boolean;
  contentId?: string | null;
};

/** How long a file that no message links is kept, in milliseconds; far longer than any request takes. */
const UNLINKED_MS = 3_600_000;

/** What a sender gets whose file the workspace has no room for. */
export const NO_ROOM = 'This chat cannot accept more files right now. Send your message without files.';

/**
 * Stores a file as it comes, before and outside of any transaction; `linkFiles` then ties it to a message. What is
 * never linked is removed by a job. Names and kinds are made harmless here, whichever channel they come from.
 * @throws Refusal when the workspace has no room for it, and whatever `source` throws; nothing is kept then
 */
export async function storeFile(
  workspaceId: string,
  { name, contentType, source, reserveMaxBytes = 0 }: IncomingFile,
): Promise<StoredFile> {
  const store = storeOfNewFiles();
  const id = uuidv7();
  const expiresAt = new Date(Date.now() + UNLINKED_MS);
  await db().storedFile.create({ data: { id, workspaceId, store, expiresAt } });
  try {
    const beginning = { bytes: Buffer.alloc(0) };
    const { sizeBytes } = await (await fileStore(store)).write(id, noteBeginning(source, beginning));
    const usesReserve = sizeBytes <= reserveMaxBytes;
    if (!(await countTowardsQuota({ id, workspaceId, sizeBytes, usesReserve })))
      throw invalid({ files: [NO_ROOM] });
    const kind = knownContentType(contentType, beginning.bytes);
    return { id, name: cleanFileName(name), contentType: kind, sizeBytes };
  } catch (error) {
    await discardFiles([id]);
    throw error;
  }
}

/** Passes a file on, and notes the few bytes by which pictures are known. */
async function* noteBeginning(source: AsyncIterable<Uint8Array>, beginning: { bytes: Buffer }) {
  for await (const piece of source) {
    const missing = CONTENT_BEGINNING_BYTES - beginning.bytes.length;
    if (missing > 0) beginning.bytes = Buffer.concat([beginning.bytes, piece.subarray(0, missing)]);
    yield piece;
  }
}

/** Has the next clean-up remove stored files, in one statement. Those that a message links stay. */
export async function discardFiles(ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db().storedFile.updateMany({
    where: { id: { in: ids }, expiresAt: { not: null } },
    data: { expiresAt: new Date(0) },
  });
}
