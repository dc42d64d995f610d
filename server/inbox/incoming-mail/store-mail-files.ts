import { Refusal } from '#server/core/errors.ts';
import { type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/**
 * Stores the files of a mail. Files beyond the maximum number, or for which the quota has no room, are only in the
 * original.
 * @returns the stored files, and a note that counts the missing files; the note is empty when there are none
 */
export async function storeMailFiles(
  workspaceId: string,
  { files, filesLeftOut }: Pick<ParsedMail, 'files' | 'filesLeftOut'>,
): Promise<{ files: StoredFile[]; note: string }> {
  const stored: StoredFile[] = [];
  let leftOut = filesLeftOut;
  for (const { name, contentType, contentId, isInline, content } of files) {
    try {
      const file = await storeFile(workspaceId, { name, contentType, source: piecesOf(content) });
      stored.push({ ...file, inline: isInline, contentId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      leftOut += 1;
    }
  }
  if (leftOut === 0) return { files: stored, note: '' };
  const what =
    leftOut === 1 ? 'One file of this email is' : `${leftOut.toLocaleString('en')} files of this email are`;
  return { files: stored, note: `[${what} only in the original.]` };
}

async function* piecesOf(content: Uint8Array) {
  if (content.byteLength > 0) yield content;
}
