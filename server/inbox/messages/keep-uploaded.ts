import type { Tx } from '#server/core/database/db.ts';
import { invalid } from '#server/core/errors.ts';
import { attachmentProblem } from '#server/inbox/files/attachment-rules.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { openUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';

const GONE = 'A file could not be kept. Remove it and add it again.';
/** How long files of a reply that was not sent wait for somebody to take it up again, in days. */
const KEPT_DAYS = 30;

/**
 * Keeps the files of a reply that waits to be sent.
 * @returns what is stored of them
 * @throws Refusal under `files` when they are too many or too large together, or one of them is not there any more
 */
export async function keepUploaded(
  tx: Tx,
  { workspaceId, files }: { workspaceId: string; files: UploadedFile[] },
): Promise<StoredFile[]> {
  const stored = files.flatMap((file) => openUploaded(workspaceId, file) ?? []);
  if (stored.length !== files.length) throw invalid({ files: [GONE] });
  const problem = attachmentProblem(stored.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })));
  if (problem) throw invalid({ files: [problem.message] });
  if (stored.length === 0) return [];
  const ids = stored.map(({ id }) => id);
  const kept = await tx.$executeRaw`
    update stored_files set expires_at = now() + make_interval(days => ${KEPT_DAYS}::int)
    where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}::uuid
      and size_bytes is not null and expires_at > now()`;
  if (kept !== stored.length) throw invalid({ files: [GONE] });
  return stored;
}
