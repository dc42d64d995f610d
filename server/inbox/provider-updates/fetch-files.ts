import { refusalIn } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import type { ReceivedFile } from '#server/inbox/channels/received-update.ts';
import { type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';

/** A message has so many files at most; a note counts the others. */
const FILES_MAX = 20;

/**
 * Fetches the files of a message from their provider and stores them. One that cannot be had keeps no message from
 * arriving: a note in the message names it.
 */
export async function fetchFiles(
  workspaceId: string,
  files: ReceivedFile[],
): Promise<{ files: StoredFile[]; notes: string[] }> {
  const fetched: StoredFile[] = [];
  const notes: string[] = [];
  for (const { name, contentType, open } of files.slice(0, FILES_MAX)) {
    try {
      fetched.push(await storeFile(workspaceId, { name, contentType, source: await open() }));
    } catch (error) {
      log().warn({ err: error, workspaceId }, 'update.file_not_fetched');
      const why = refusalIn(error) ? 'there is no room for more files' : 'it could not be fetched';
      notes.push(`[The file “${name}” is missing: ${why}.]`);
    }
  }
  const left = files.length - FILES_MAX;
  if (left > 0) notes.push(`[${left} more ${left === 1 ? 'file is' : 'files are'} missing.]`);
  return { files: fetched, notes };
}
