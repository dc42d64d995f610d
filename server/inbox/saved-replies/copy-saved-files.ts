import { db } from '#server/core/database/prisma.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { DRAFT_FILE_MS, type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';

/**
 * Copies the files of a saved reply for a draft, because a message owns its files. The copies count towards the quota and
 * expire like other uploads when the draft is not sent.
 * @returns the copies; none when the teammate cannot see the saved reply
 * @throws Refusal when the workspace has no room for more files
 */
export async function copySavedFiles(which: {
  workspaceId: string;
  userId: string;
  id: string;
}): Promise<StoredFile[]> {
  const { workspaceId, userId, id } = which;
  const files = await db().savedReplyFile.findMany({
    where: { workspaceId, savedReplyId: id, savedReply: { OR: [{ ownerId: null }, { ownerId: userId }] } },
    orderBy: { position: 'asc' },
  });
  const copies: StoredFile[] = [];
  for (const { id: fileId, name, contentType } of files) {
    const source = await openFile(fileId);
    copies.push(await storeFile(workspaceId, { name, contentType, source, unlinkedMs: DRAFT_FILE_MS }));
  }
  return copies;
}
