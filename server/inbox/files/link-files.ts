import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';

const GONE = 'The files could not be saved. Send them again.';

/**
 * Links stored files to a message, in its transaction and in the given order. Runs two statements.
 * @throws Refusal when a file is already linked, has expired, or belongs to another workspace
 */
export async function linkFiles(
  tx: SqlDb,
  {
    workspaceId,
    messageId,
    files,
    now,
  }: { workspaceId: string; messageId: string; files: StoredFile[]; now: Date },
): Promise<void> {
  if (files.length === 0) return;
  const ids = files.map(({ id }) => id);
  const linked = await tx.$executeRaw`
    update stored_files set expires_at = null
    where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}::uuid
      and size_bytes is not null and expires_at > now()`;
  if (linked !== files.length) throw invalid({ files: [GONE] });
  await tx.$executeRaw`
    insert into attachments (id, workspace_id, message_id, name, content_type, size_bytes, inline, content_id, created_at)
    select f.id, ${workspaceId}::uuid, ${messageId}::uuid, f.name, f."contentType", f."sizeBytes",
      coalesce(f.inline, false), f."contentId", ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as f
      (id uuid, name text, "contentType" text, "sizeBytes" int, inline boolean, "contentId" text)`;
}
