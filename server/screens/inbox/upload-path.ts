import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';

/** Path prefix of a picture that is not sent yet, followed by the id of the stored file. */
export const UPLOADS_PATH = '/uploads/';

/** Returns the address of a picture of a draft, a scheduled reply or a new note, for teammates of its workspace. */
export function uploadPath({ id, name, contentType, sizeBytes, signature }: UploadedFile): string {
  const query = new URLSearchParams({ name, type: contentType, size: String(sizeBytes), signature });
  return `${UPLOADS_PATH}${id}?${query}`;
}
