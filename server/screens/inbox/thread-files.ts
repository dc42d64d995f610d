import { type FormattedText, pictureIds } from '#server/contract/formatted-text.ts';
import type { AttachmentView, PictureView } from '#server/screens/inbox/thread-views.ts';

/** A file of a message or note. `fileId`: null unless the formatting shows it. */
export type ThreadFile = AttachmentView & { fileId: string | null };

/** Divides files into the pictures of a formatted text, which have a `fileId`, and the others. */
export function withoutPictures(files: ThreadFile[]): {
  pictures: PictureView[];
  attachments: AttachmentView[];
} {
  return {
    pictures: files.flatMap(({ id, fileId }) => (fileId === null ? [] : { fileId, id })),
    attachments: files.flatMap(({ id, name, contentType, sizeBytes, fileId }) =>
      fileId === null ? { id, name, contentType, sizeBytes } : [],
    ),
  };
}

/** Returns the files of a note, with a `fileId` if its formatting shows them. */
export function noteFiles(
  formatted: FormattedText | null,
  attachments: (AttachmentView & { fileId: string })[],
): ThreadFile[] {
  const shown = new Set(pictureIds(formatted));
  return attachments.map((file) => ({ ...file, fileId: shown.has(file.fileId) ? file.fileId : null }));
}
