import { db } from '#server/core/database/prisma.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import type { MailSource } from '#server/inbox/mail-parser/mail-task.ts';

/**
 * Returns the size of a stored mail and a function that opens it.
 * @throws when the file does not exist or is incomplete
 */
export async function mailSource(fileId: string): Promise<MailSource> {
  const { sizeBytes } = await db().storedFile.findUniqueOrThrow({
    where: { id: fileId },
    select: { sizeBytes: true },
  });
  if (sizeBytes === null) throw new Error('The file of the mail is not complete.');
  return { bytes: sizeBytes, open: () => openFile(fileId) };
}
