import { db } from '#server/core/database/prisma.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import type { MailSource } from '#server/inbox/mail-parser/mail-task.ts';

/**
 * Returns a stored mail without reading it.
 * @throws when it is not there
 */
export async function mailSource(fileId: string): Promise<MailSource> {
  const { sizeBytes } = await db().storedFile.findUniqueOrThrow({
    where: { id: fileId },
    select: { sizeBytes: true },
  });
  if (sizeBytes === null) throw new Error('The file of the mail is not complete.');
  return { bytes: sizeBytes, open: () => openFile(fileId) };
}
