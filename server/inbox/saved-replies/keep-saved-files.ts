import { sql } from '#server/core/database/sql.ts';
import { DRAFT_FILE_MS, type StoredFile } from '#server/inbox/files/store-file.ts';

/**
 * Lets drafts link the files of a saved reply for a week, also when the saved reply is deleted in the meantime. The files are
 * shared: nothing is copied, and they count once towards the quota.
 * @returns the files in their order; none when the teammate cannot see the saved reply
 */
export function keepSavedFiles(which: {
  workspaceId: string;
  userId: string;
  id: string;
}): Promise<StoredFile[]> {
  const { workspaceId, userId, id } = which;
  const keptUntil = new Date(Date.now() + DRAFT_FILE_MS);
  return sql().$queryRaw<StoredFile[]>`
    with own as (
      select s.id, s.position, s.name, s.content_type, s.size_bytes
      from saved_reply_files s join saved_replies r on r.workspace_id = s.workspace_id and r.id = s.saved_reply_id
      where s.workspace_id = ${workspaceId}::uuid and r.id = ${id}::uuid
        and (r.owner_id is null or r.owner_id = ${userId}::uuid)
    ), locked as (
      select f.id from stored_files f where f.id in (select id from own) and f.owners > 0 order by f.id for no key update
    ), kept as (
      update stored_files f set kept_until = greatest(f.kept_until, ${keptUntil}::timestamptz)
      from locked where f.id = locked.id
      returning f.id
    )
    select own.id, own.name, own.content_type as "contentType", own.size_bytes as "sizeBytes"
    from own join kept on kept.id = own.id
    order by own.position`;
}
