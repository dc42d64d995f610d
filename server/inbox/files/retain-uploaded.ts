import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { attachmentProblem } from '#server/inbox/files/content-types.ts';
import { IS_LINKABLE } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { openUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';

const GONE = 'A file is no longer available. Remove it and add it again.';
/** Lifetime of the files of an unsent reply, in days. A failed reply can be edited and sent again in that time. */
const RETENTION_DAYS = 30;

/**
 * Extends the lifetime of uploaded files for a reply that waits to be sent.
 * @returns the files
 * @param seconds time until the reply is sent
 * @param labels field and message of refusals of unavailable files
 * @throws Refusal under `files` when they are too many or too large together, or one of them no longer exists
 */
export async function retainUploaded(
  tx: SqlDb,
  { workspaceId, files, seconds = 0 }: { workspaceId: string; files: UploadedFile[]; seconds?: number },
  { field = 'files', gone = GONE } = {},
): Promise<StoredFile[]> {
  const stored = openAll(workspaceId, files, { field, gone });
  const retained = await retainFiles(tx, { workspaceId, ids: stored.map(({ id }) => id), seconds });
  if (retained.length !== stored.length) throw invalid({ [field]: [gone] });
  return stored;
}

/**
 * Opens the uploaded files of a message or note.
 * @throws Refusal under `files` when the page changed one, or they are too many or too large together
 */
export function openAll(
  workspaceId: string,
  files: UploadedFile[],
  { field = 'files', gone = GONE } = {},
): StoredFile[] {
  const stored = files.flatMap((file) => openUploaded(workspaceId, file) ?? []);
  if (stored.length !== files.length) throw invalid({ [field]: [gone] });
  const problem = attachmentProblem(stored.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })));
  if (problem) throw invalid({ [field]: [problem.message] });
  return stored;
}

/**
 * Extends the lifetime of stored files for a reply that is sent in some seconds, or for a draft. Never shortens it: another reply may be
 * sent later. A file of a saved reply stays shared, also after that is deleted.
 * @returns the ids of the files that still exist
 */
export async function retainFiles(
  tx: SqlDb,
  { workspaceId, ids, seconds }: { workspaceId: string; ids: string[]; seconds: number },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const end = Prisma.sql`now() + make_interval(days => ${RETENTION_DAYS}::int, secs => ${seconds}::int)`;
  const retained = await tx.$queryRaw<{ id: string }[]>`
    with kept as (
      select id from stored_files
      where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}::uuid and ${IS_LINKABLE}
      order by id for no key update
    )
    update stored_files f set
      expires_at = case when owners = 0 then greatest(expires_at, ${end}) end,
      kept_until = case when owners > 0 or kept_until is not null then greatest(kept_until, ${end}) end
    from kept where f.id = kept.id
    returning f.id`;
  return retained.map(({ id }) => id);
}
