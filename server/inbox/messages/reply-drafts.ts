import { textProblem } from '#server/contract/fields.ts';
import type { FormattedText } from '#server/contract/formatted-text.ts';
import { storedFormatted } from '#server/contract/parse-formatted.ts';
import { plainText } from '#server/contract/plain-text.ts';
import { withPictures } from '#server/contract/with-pictures.ts';
import { joinWritten } from '#server/contract/written.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { publish, publishDraft } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Removal } from '#server/generated/prisma/enums.ts';
import { refuseReadOnly } from '#server/inbox/conversations/lock-conversation.ts';
import { pictureFileIds } from '#server/inbox/files/content-types.ts';
import { IS_LINKABLE } from '#server/inbox/files/link-files.ts';
import { retainFiles } from '#server/inbox/files/retain-uploaded.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { openUploaded, signUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';

/** What teammates write in a draft. `copies`: as typed, null while the suggested ones apply. */
type DraftContent = {
  content: string;
  /** The text as the editor that formats shows it, even without formatting. Null: plain text. */
  formatted: FormattedText | null;
  /** Address of the author who gets the reply instead of the contact. Null: as suggested. */
  answers: string | null;
  copies: { cc: string[]; bcc: string[] } | null;
  files: UploadedFile[];
  savedReplyIds: string[];
};

/** The draft of a conversation. Its content is empty once it was sent or cleared. */
export type DraftView = DraftContent & {
  /** Number of changes. */
  version: number;
  /** The teammate of the last change. Null if the account was deleted. */
  author: { id: string; name: string } | null;
  updatedAt: Date;
};

type DraftRequest = Omit<DraftContent, 'formatted'> & {
  formatted?: FormattedText | null | undefined;
  workspaceId: string;
  conversationId: string;
  author: { id: string };
  version: number;
};

/** The version of the stored draft. `newer`: the draft that another change has stored, which was not replaced. */
type SavedDraft = { version: number; newer: DraftView | null };

/**
 * Stores the draft that all teammates of a conversation share, if nobody else has changed it since. One without text and files
 * empties it. Extends the lifetime of its files, and leaves out those that no longer exist.
 * @param formatted replaces `content`
 * @param version the version that the page knew; 0 for none
 * @throws Refusal when the conversation does not exist, was merged, or is spam or deleted
 */
export async function saveDraft(draft: DraftRequest): Promise<SavedDraft> {
  const { workspaceId, files, formatted } = draft;
  if (formatted) refuseTooLong(plainText(formatted));
  const stored = files.flatMap((file) => openUploaded(workspaceId, file) ?? []);
  if (stored.length === 0) return writeDraft(sql(), draft, []);
  return sqlTransaction(async (tx) => {
    const ids = await retainFiles(tx, { workspaceId, ids: stored.map(({ id }) => id), seconds: 0 });
    return writeDraft(
      tx,
      draft,
      stored.filter(({ id }) => ids.includes(id)),
    );
  });
}

/** Content of a reply that returns to the draft. */
type Returned = Omit<DraftContent, 'copies' | 'files'> & { cc: string[]; bcc: string[]; files: StoredFile[] };

/**
 * Puts the content of a cancelled reply above the shared draft of its conversation, so that it exists although the page does not get the
 * response. Returns the version of the draft.
 * @throws Refusal when nothing can be written in the conversation
 */
export async function returnToDraft(
  tx: SqlDb,
  returned: Returned & { workspaceId: string; conversationId: string; author: { id: string } },
): Promise<number> {
  const { content: text, formatted, answers, cc, bcc, files, savedReplyIds } = returned;
  for (;;) {
    const own = await readNewer(tx, returned);
    const ownFiles = own?.files.flatMap((file) => openUploaded(returned.workspaceId, file) ?? []) ?? [];
    const joined = joinWritten([
      { text, formatted },
      { text: own?.content ?? '', formatted: own?.formatted ?? null },
    ]);
    const draft = {
      ...returned,
      version: own?.version ?? 0,
      content: joined.text,
      formatted: joined.formatted,
      answers: answers ?? own?.answers ?? null,
      copies: { cc: union(cc, own?.copies?.cc), bcc: union(bcc, own?.copies?.bcc) },
      savedReplyIds: union(savedReplyIds, own?.savedReplyIds),
    };
    const { version, newer } = await writeDraft(tx, draft, [...files, ...ownFiles]);
    if (!newer) return version;
  }
}

function union(one: string[], other: string[] = []): string[] {
  return [...new Set([...one, ...other])];
}

async function writeDraft(
  tx: SqlDb,
  draft: Omit<DraftRequest, 'files'>,
  files: StoredFile[],
): Promise<SavedDraft> {
  const { workspaceId, conversationId, author, version, copies } = draft;
  const { content, formatted } = writtenDraft(draft, files);
  const isEmpty = content.trim() === '' && files.length === 0;
  const { answers, cc, bcc, savedReplyIds } = isEmpty
    ? { answers: null, cc: [], bcc: [], savedReplyIds: [] }
    : { ...draft, cc: copies?.cc ?? [], bcc: copies?.bcc ?? [] };
  const [saved] = await tx.$queryRaw<{ version: number; wasEmpty: boolean }[]>`
    with before as (
      select is_empty from reply_drafts where conversation_id = ${conversationId}::uuid
    )
    insert into reply_drafts as d (conversation_id, workspace_id, version, is_empty, content, formatted, answers, changes_copies, cc, bcc,
      attachments, saved_reply_ids, author_id)
    select c.id, c.workspace_id, ${version}::int + 1, ${isEmpty}, ${isEmpty ? '' : content}, ${isEmpty ? null : formatted}::json, ${answers}, ${!isEmpty && copies !== null},
      ${cc}::text[], ${bcc}::text[], ${JSON.stringify(files)}::jsonb, ${savedReplyIds}::uuid[], ${author.id}::uuid
    from conversations c
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${conversationId}::uuid and c.merged_into_id is null and c.removal is null
    on conflict (conversation_id) do update set version = d.version + 1, is_empty = excluded.is_empty, content = excluded.content,
      formatted = excluded.formatted, answers = excluded.answers, changes_copies = excluded.changes_copies, cc = excluded.cc, bcc = excluded.bcc,
      attachments = excluded.attachments, saved_reply_ids = excluded.saved_reply_ids, author_id = excluded.author_id, updated_at = now()
      where d.version = ${version}::int
    returning version, coalesce((select is_empty from before), true) as "wasEmpty"`;
  if (!saved) return { version, newer: await readNewer(tx, draft) };
  afterCommit(tx, () => {
    // The list shows which conversations have a draft, only an open conversation shows its text.
    if (saved.wasEmpty !== isEmpty) publish(workspaceId, 'conversations');
    else publishDraft({ workspaceId, conversationId, authorId: author.id });
  });
  return { version: saved.version, newer: null };
}

/** @throws Refusal when the text is far longer than a reply can be, which `textInput` refuses without formatting */
function refuseTooLong(content: string): void {
  const max = REPLY_MAX_LENGTH;
  const problem = content.length > 2 * max ? textProblem(content, { label: 'reply', max }) : undefined;
  if (problem) throw invalid({ content: [problem] });
}

function writtenDraft(
  { content, formatted }: Pick<DraftRequest, 'content' | 'formatted'>,
  files: StoredFile[],
): { content: string; formatted: string | null } {
  if (!formatted) return { content, formatted: null };
  const shown = withPictures(formatted, pictureFileIds(files));
  return { content: plainText(formatted), formatted: JSON.stringify(shown) };
}

/** @throws Refusal when nothing can be written in the conversation */
async function readNewer(
  tx: SqlDb,
  { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
): Promise<DraftView | null> {
  const [conversation] = await tx.$queryRaw<
    { mergedIntoId: string | null; removal: Removal | null; draft: DraftColumn }[]
  >`
    select c.merged_into_id as "mergedIntoId", c.removal, ${DRAFT_COLUMN} as draft from conversations c
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${conversationId}::uuid`;
  if (!conversation) throw notFound('The conversation');
  return draftView(workspaceId, refuseReadOnly(conversation).draft);
}

export type DraftColumn =
  | (Omit<DraftView, 'files' | 'updatedAt'> & { files: StoredFile[]; updatedAt: string })
  | null;

/** The draft of `conversations c`, as SQL. Files that no longer exist are left out. */
export const DRAFT_COLUMN = Prisma.sql`(
  select json_build_object('version', d.version, 'content', d.content, 'formatted', d.formatted, 'answers', d.answers,
    'copies', case when d.changes_copies then json_build_object('cc', d.cc, 'bcc', d.bcc) end,
    'files', (
      select coalesce(json_agg(f.file order by f.position), '[]') from jsonb_array_elements(d.attachments) with ordinality f (file, position)
      where exists (select from stored_files where id = (f.file ->> 'id')::uuid and ${IS_LINKABLE})),
    'savedReplyIds', d.saved_reply_ids, 'updatedAt', d.updated_at,
    'author', case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end)
  from reply_drafts d left join users u on u.id = d.author_id and u.deleted_at is null
  where d.conversation_id = c.id)`;

/** Returns the draft as a page receives it. */
export function draftView(workspaceId: string, draft: DraftColumn): DraftView | null {
  if (!draft) return null;
  const files = draft.files.map((file) => signUploaded(workspaceId, file));
  const stored = storedFormatted(draft.formatted);
  const formatted = stored && withPictures(stored, pictureFileIds(files));
  return { ...draft, formatted, files, updatedAt: new Date(draft.updatedAt) };
}

const EMPTIED = Prisma.sql`version = version + 1, is_empty = true, content = '', formatted = null, answers = null, changes_copies = false, cc = '{}', bcc = '{}',
  attachments = '[]', saved_reply_ids = '{}', updated_at = now()`;

/**
 * Empties the draft that became a reply, in the transaction of the reply: the version that its page knew, or the same text of the same
 * teammate, which another page or a request whose response was lost has stored. A draft that a teammate has changed since stays.
 */
export async function clearDraft(
  tx: SqlDb,
  sent: { conversationId: string; version: number; authorId: string; content: string; fileIds: string[] },
): Promise<void> {
  const { conversationId, version, authorId, content, fileIds } = sent;
  await tx.$executeRaw`
    update reply_drafts set ${EMPTIED}
    where conversation_id = ${conversationId}::uuid and (version = ${version}::int
      or not is_empty and author_id = ${authorId}::uuid and content = ${content}::text and not exists (
        select from jsonb_array_elements(attachments) f where f ->> 'id' <> all (${fileIds}::text[])))`;
}

/** Days for which the version of an empty draft is stored. */
const EMPTY_DAYS = 30;

/** Removes drafts that have been empty for 30 days. Returns how many. */
export function removeEmptyDrafts(): Promise<number> {
  return removeInBatches(`
    delete from reply_drafts where conversation_id in (
      select conversation_id from reply_drafts
      where is_empty and updated_at < now() - make_interval(days => ${EMPTY_DAYS})
      limit ${BATCH_ROWS} for update skip locked
    )`);
}
