import { sql } from '#server/core/database/sql.ts';
import { isPicture } from '#server/inbox/files/content-types.ts';
import type { FoundAttachment } from '#server/inbox/files/find-attachment.ts';
import { IS_LINKABLE } from '#server/inbox/files/link-files.ts';
import { openUploaded, uploadedFileShape } from '#server/inbox/files/uploaded-file.ts';

/**
 * Finds a picture that a teammate of the workspace uploaded, while a message or note can still use it.
 * @param uploaded what a request claims to be an `UploadedFile`
 * @returns null when the signature is wrong, the file is no picture or it no longer exists
 */
export async function findUploadedPicture(
  workspaceId: string,
  uploaded: unknown,
): Promise<FoundAttachment | null> {
  const { data } = uploadedFileShape.safeParse(uploaded);
  const file = data && openUploaded(workspaceId, data);
  if (!file || !isPicture(file.contentType)) return null;
  const found = await sql().$queryRaw<unknown[]>`
    select 1 from stored_files where id = ${file.id}::uuid and workspace_id = ${workspaceId}::uuid and ${IS_LINKABLE}`;
  const { id: fileId, name, contentType, sizeBytes } = file;
  return found.length > 0 ? { fileId, name, contentType, sizeBytes } : null;
}
