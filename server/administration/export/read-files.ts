import { cleanUpPool } from '#server/core/database/pools.ts';
import { readFromReplica } from '#server/core/database/replica.ts';

/** A file of the export: the stored file, its path in the archive, and the key after which the next one is read. */
export type ExportFile = { fileId: string; path: string; sizeBytes: number; key: string[] };

const PAGE = 50;
const OF_CONVERSATION = 'join conversations c on c.id = m.conversation_id and not c.is_test';

/** A folder of the archive, and the statement that lists its files. */
export type FileList = { folder: string; statement: string };

/** Files that were uploaded for drafts and for replies that wait to be sent. */
const UNSENT = `(select workspace_id, conversation_id, attachments from reply_drafts
  union all select workspace_id, conversation_id, attachments from pending_replies)`;

/**
 * Files of messages and notes, original emails, files of shared saved replies, and of drafts and waiting replies. Stored names have no
 * folders (`cleanFileName`).
 */
export const FILE_LISTS: readonly FileList[] = [
  {
    folder: 'files',
    statement: `select t.file_id as "fileId", 'files/' || t.id || ' ' || t.name as path, t.size_bytes as "sizeBytes", array[t.created_at::text, t.id::text] as key
   from attachments t join messages m on m.id = t.message_id ${OF_CONVERSATION}
   where t.workspace_id = $1 and ($2::timestamptz is null or (t.created_at, t.id) > ($2, $3::uuid))
   order by t.created_at, t.id limit ${PAGE}`,
  },
  {
    folder: 'note-files',
    statement: `select t.file_id as "fileId", 'note-files/' || t.id || ' ' || t.name as path, t.size_bytes as "sizeBytes", array[t.created_at::text, t.id::text] as key
   from note_files t join notes m on m.id = t.note_id ${OF_CONVERSATION}
   where t.workspace_id = $1 and ($2::timestamptz is null or (t.created_at, t.id) > ($2, $3::uuid))
   order by t.created_at, t.id limit ${PAGE}`,
  },
  {
    folder: 'mails',
    statement: `select m.original_file_id as "fileId", 'mails/' || m.id || '.eml' as path, f.size_bytes as "sizeBytes", array[m.created_at::text, m.id::text] as key
   from messages m ${OF_CONVERSATION} join stored_files f on f.id = m.original_file_id
   where m.workspace_id = $1 and m.original_file_id is not null
     and ($2::timestamptz is null or (m.created_at, m.id) > ($2, $3::uuid))
   order by m.created_at, m.id limit ${PAGE}`,
  },
  {
    folder: 'saved-reply-files',
    statement: `select t.id as "fileId", 'saved-reply-files/' || t.id || ' ' || t.name as path, t.size_bytes as "sizeBytes", array[now()::text, t.id::text] as key
   from saved_reply_files t join saved_replies r on r.id = t.saved_reply_id and r.owner_id is null
   where t.workspace_id = $1 and ($2::timestamptz is null or t.id > $3::uuid) order by t.id limit ${PAGE}`,
  },
  {
    folder: 'unsent-files',
    statement: `select f.id as "fileId", 'unsent-files/' || f.id || ' ' || (t.file ->> 'name') as path, f.size_bytes as "sizeBytes", array[now()::text, f.id::text] as key
   from (
     select distinct on (a.file ->> 'id') m.conversation_id, a.file from ${UNSENT} m cross join lateral jsonb_array_elements(m.attachments) a (file)
     where m.workspace_id = $1 order by a.file ->> 'id', m.conversation_id
   ) t join conversations c on c.id = t.conversation_id and not c.is_test join stored_files f on f.id = (t.file ->> 'id')::uuid
   where f.size_bytes is not null and ($2::timestamptz is null or f.id > $3::uuid) order by f.id limit ${PAGE}`,
  },
];

/** Returns the next files of a list. Fewer than a page: there are no more. */
export async function readFiles(
  { statement }: FileList,
  workspaceId: string,
  after: string[] | null,
): Promise<{ files: ExportFile[]; isLast: boolean }> {
  const [at, id] = after ?? [null, null];
  const { rows } = await readFromReplica(() =>
    cleanUpPool().query<ExportFile>(statement, [workspaceId, at, id]),
  );
  return { files: rows, isLast: rows.length < PAGE };
}
