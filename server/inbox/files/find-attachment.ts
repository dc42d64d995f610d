import { validate as isUuid } from 'uuid';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** A file of a message or note, and the stored file that has its bytes. */
export type FoundAttachment = { fileId: string; name: string; contentType: string; sizeBytes: number };

/**
 * Finds an attachment by its id.
 * @param where restricts the attachments to those that the reader may see
 * @returns null for an unknown id and for an attachment that the reader may not see
 */
export async function findAttachment(
  id: string,
  where: Prisma.AttachmentWhereInput,
): Promise<FoundAttachment | null> {
  if (!isUuid(id)) return null;
  return db().attachment.findFirst({
    where: { ...where, id },
    select: { fileId: true, name: true, contentType: true, sizeBytes: true },
  });
}

/**
 * Finds a file of a note by its id. Files of a deleted note are not found.
 * @param where restricts the notes to those that the reader may see
 * @returns null for an unknown id and for a file that the reader may not see
 */
export async function findNoteFile(
  id: string,
  where: Prisma.NoteWhereInput,
): Promise<FoundAttachment | null> {
  if (!isUuid(id)) return null;
  return db().noteFile.findFirst({
    where: { id, note: { ...where, deletedAt: null } },
    select: { fileId: true, name: true, contentType: true, sizeBytes: true },
  });
}
