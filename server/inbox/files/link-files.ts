import { v7 as uuidv7 } from 'uuid';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';

/** A stored file that a message may link: one without owners until it expires, one of a saved reply while drafts may use it. */
export const IS_LINKABLE = Prisma.sql`size_bytes is not null and case when owners = 0 then expires_at else kept_until end > now()`;

const GONE = 'The files could not be saved. Send them again.';

type Links = { workspaceId: string; files: StoredFile[]; now: Date };

/**
 * Locks stored files and returns the statement that links them to a message, in the given order, as part of the statement that
 * inserts the message. No files need no statement. A file of a saved reply is shared with its other owners.
 * @throws Refusal when a file is already linked and not kept for drafts, has expired, or belongs to another workspace
 */
export async function fileRows(
  tx: SqlDb,
  { messageId, ...links }: Links & { messageId: string },
): Promise<Prisma.Sql[]> {
  const { workspaceId, files, now } = links;
  if (files.length === 0) return [];
  const rows = await lockLinked(tx, links);
  return [
    Prisma.sql`
    insert into attachments (id, file_id, workspace_id, message_id, name, content_type, size_bytes, inline, content_id, created_at)
    select f.id, f."fileId", ${workspaceId}::uuid, ${messageId}::uuid, f.name, f."contentType", f."sizeBytes",
      coalesce(f.inline, false), f."contentId", ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f
      (id uuid, "fileId" uuid, name text, "contentType" text, "sizeBytes" int, inline boolean, "contentId" text)`,
  ];
}

/**
 * Locks stored files and returns the statement that links them to a note, as `fileRows` does for a message.
 * @throws Refusal as `fileRows` does
 */
export async function noteFileRows(
  tx: SqlDb,
  { noteId, ...links }: Links & { noteId: string },
): Promise<Prisma.Sql[]> {
  const { workspaceId, files, now } = links;
  if (files.length === 0) return [];
  const rows = (await lockLinked(tx, links)).map((row, position) => ({ ...row, position }));
  return [
    Prisma.sql`
    insert into note_files (id, file_id, workspace_id, note_id, position, name, content_type, size_bytes, created_at)
    select f.id, f."fileId", ${workspaceId}::uuid, ${noteId}::uuid, f.position, f.name, f."contentType", f."sizeBytes", ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f
      (id uuid, "fileId" uuid, position smallint, name text, "contentType" text, "sizeBytes" int)`,
  ];
}

/** Locks stored files for a new owner. Returns them with the ids of their rows. */
async function lockLinked(
  tx: SqlDb,
  { workspaceId, files }: Links,
): Promise<(StoredFile & { fileId: string })[]> {
  const ids = files.map(({ id }) => id);
  const found = await tx.$queryRaw<{ id: string; isShared: boolean }[]>`
    select id, owners > 0 as "isShared" from stored_files
    where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}::uuid and ${IS_LINKABLE}
    order by id for no key update`;
  if (found.length !== files.length) throw invalid({ files: [GONE] });
  const shared = new Set(found.flatMap(({ id, isShared }) => (isShared ? id : [])));
  return files.map((file) => ({ ...file, fileId: file.id, id: shared.has(file.id) ? uuidv7() : file.id }));
}

/** Links stored files to a message that is inserted already, as `fileRows` does. */
export async function linkFiles(tx: SqlDb, links: Parameters<typeof fileRows>[1]): Promise<void> {
  for (const row of await fileRows(tx, links)) await tx.$executeRaw(row);
}
