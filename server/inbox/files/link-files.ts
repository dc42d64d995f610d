import { v7 as uuidv7 } from 'uuid';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';

/** A stored file that a message may link: one without owners until it expires, one of a saved reply while drafts may use it. */
export const IS_LINKABLE = Prisma.sql`size_bytes is not null and case when owners = 0 then expires_at else kept_until end > now()`;

const GONE = 'The files could not be saved. Send them again.';

/**
 * Locks stored files and returns the statement that links them to a message, in the given order, as part of the statement that
 * inserts the message. No files need no statement. A file of a saved reply is shared with its other owners.
 * @throws Refusal when a file is already linked and not kept for drafts, has expired, or belongs to another workspace
 */
export async function fileRows(
  tx: SqlDb,
  {
    workspaceId,
    messageId,
    files,
    now,
  }: { workspaceId: string; messageId: string; files: StoredFile[]; now: Date },
): Promise<Prisma.Sql[]> {
  if (files.length === 0) return [];
  const ids = files.map(({ id }) => id);
  const found = await tx.$queryRaw<{ id: string; isShared: boolean }[]>`
    select id, owners > 0 as "isShared" from stored_files
    where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}::uuid and ${IS_LINKABLE}
    order by id for no key update`;
  if (found.length !== files.length) throw invalid({ files: [GONE] });
  const shared = new Set(found.flatMap(({ id, isShared }) => (isShared ? id : [])));
  const rows = files.map((file) => ({
    ...file,
    fileId: file.id,
    id: shared.has(file.id) ? uuidv7() : file.id,
  }));
  return [
    Prisma.sql`
    insert into attachments (id, file_id, workspace_id, message_id, name, content_type, size_bytes, inline, content_id, created_at)
    select f.id, f."fileId", ${workspaceId}::uuid, ${messageId}::uuid, f.name, f."contentType", f."sizeBytes",
      coalesce(f.inline, false), f."contentId", ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f
      (id uuid, "fileId" uuid, name text, "contentType" text, "sizeBytes" int, inline boolean, "contentId" text)`,
  ];
}

/** Links stored files to a message that is inserted already, as `fileRows` does. */
export async function linkFiles(tx: SqlDb, links: Parameters<typeof fileRows>[1]): Promise<void> {
  for (const row of await fileRows(tx, links)) await tx.$executeRaw(row);
}
