import type { FormattedText } from '#server/contract/formatted-text.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { type Planned, planAndWrite } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { mentionedIn, mentionRows } from '#server/inbox/conversations/add-note.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { planChange } from '#server/inbox/conversations/persist-change.ts';

/** Maximum number of earlier texts of a note. */
const VERSIONS_MAX = 50;

type Which = { workspaceId: string; conversationId: string; noteId: string };
type ChangedBy = Which & {
  actor: { kind: 'teammate'; teammate: Teammate };
  /** Number of earlier texts that the page showed. */
  version: number;
};

/** The number of earlier texts, and the ids of teammates whom the note did not mention before. */
type EditedNote = { version: number; mentioned: string[] };

/** `formatted`: as JSON. */
type NoteRow = {
  content: string;
  formatted: string | null;
  version: number;
  isDeleted: boolean;
  isOwn: boolean;
};

/**
 * Edits a note of its author and stores the earlier text. Notifies teammates whom the note did not mention before. Emits no event
 * (docs/rulings.md 3.45).
 * @throws Refusal when the note is not the teammate's own, was deleted or changed since the page showed it, or its conversation cannot
 *   be changed
 */
export async function editNote(
  edit: ChangedBy & { content: string; formatted?: FormattedText | null },
): Promise<EditedNote> {
  const { workspaceId, noteId, actor, content } = edit;
  const formatted = edit.formatted ? JSON.stringify(edit.formatted) : null;
  const mentioned = await mentionedIn({ workspaceId, actor, content });
  return planAndWrite<EditedNote>(async (tx) => {
    const { conversation, note } = await lockOwnNote(tx, edit);
    const now = new Date();
    if (note.isDeleted) throw invalid({ note: [DELETED] });
    // Also a repeated request whose response the page lost.
    if (note.content === content && note.formatted === formatted)
      return { result: { version: note.version, mentioned: [] }, parts: {} };
    if (note.version !== edit.version) throw invalid({ version: [CHANGED] });
    if (note.version >= VERSIONS_MAX) throw invalid({ note: [TOO_OFTEN] });
    const known = await tx.$queryRaw<{ id: string }[]>`
      select user_id as id from note_mentions where note_id = ${noteId}::uuid`;
    const added = mentioned.flatMap(({ id }) => (known.some((each) => each.id === id) ? [] : [id]));
    const data = { byName: actor.teammate.name, noteId };
    const change = changeOf({
      notifications: added.map((userId) => ({ userId, kind: 'mentioned', data })),
      rows: [
        storeText(noteId, note),
        Prisma.sql`
          update notes set content = ${content}::text, formatted = ${formatted}::json, edited_at = ${now}::timestamptz, version = version + 1
          where id = ${noteId}::uuid and version = ${note.version}::smallint and deleted_at is null`,
        ...mentionRows(noteId, added),
      ],
    });
    const result = { version: note.version + 1, mentioned: added };
    return { ...planChange(conversation, { actor, change, now }), result };
  });
}

/**
 * Deletes a note of its author, and marks notifications about it as read. The thread then says only who deleted it, and its texts stay in
 * exports. Repeated calls change nothing.
 * @throws Refusal as `editNote` does
 */
export async function deleteNote(which: ChangedBy): Promise<void> {
  const { noteId, actor } = which;
  await planAndWrite<void>(async (tx) => {
    const { conversation, note } = await lockOwnNote(tx, which);
    const now = new Date();
    if (note.isDeleted) return NOTHING;
    if (note.version !== which.version) throw invalid({ version: [CHANGED_BEFORE_DELETING] });
    const rows = [
      storeText(noteId, note),
      Prisma.sql`
        update notes set content = '', formatted = null, deleted_at = ${now}::timestamptz, version = version + 1
        where id = ${noteId}::uuid and version = ${note.version}::smallint and deleted_at is null`,
      Prisma.sql`
        update notifications set read_at = ${now}::timestamptz
        where ${isAbout(which)} and read_at is null`,
    ];
    return withBells(planChange(conversation, { actor, change: changeOf({ rows }), now }), which);
  });
}

/**
 * Restores a note that its author deleted, and the notifications that the deletion marked as read. Repeated calls change nothing.
 * @throws Refusal when the note is not the teammate's own, its text is no longer stored, or its conversation cannot be changed
 */
export async function restoreNote(which: Omit<ChangedBy, 'version'>): Promise<void> {
  const { noteId, actor } = which;
  await planAndWrite<void>(async (tx) => {
    const { conversation, note } = await lockOwnNote(tx, which);
    const now = new Date();
    if (!note.isDeleted) return NOTHING;
    const last = note.version - 1;
    const [text] = await tx.$queryRaw<{ content: string; formatted: string | null }[]>`
      select content, formatted::text from note_versions where note_id = ${noteId}::uuid and number = ${last}::smallint`;
    if (!text) throw invalid({ note: ['The text of this note is no longer stored.'] });
    const rows = [
      Prisma.sql`
        update notes set content = ${text.content}::text, formatted = ${text.formatted}::json, deleted_at = null, version = ${last}::smallint
        where id = ${noteId}::uuid and version = ${note.version}::smallint and deleted_at is not null`,
      Prisma.sql`delete from note_versions where note_id = ${noteId}::uuid and number = ${last}::smallint`,
      Prisma.sql`
        update notifications set read_at = null
        where ${isAbout(which)} and read_at = (select deleted_at from notes where id = ${noteId}::uuid)`,
    ];
    return withBells(planChange(conversation, { actor, change: changeOf({ rows }), now }), which);
  });
}

/** Locks the conversation, which every change of its notes does first, and reads the note. */
async function lockOwnNote(
  tx: SqlDb,
  { workspaceId, conversationId, noteId, actor }: Omit<ChangedBy, 'version'>,
): Promise<{ conversation: LockedConversation; note: NoteRow }> {
  const conversation = await lockForChange(tx, { workspaceId, id: conversationId, actor });
  const [note] = await tx.$queryRaw<NoteRow[]>`
    select content, formatted::text, version, deleted_at is not null as "isDeleted",
      author_id is not distinct from ${actor.teammate.id}::uuid and author_kind in ('teammate', 'workflow')
        and command_run_id is null as "isOwn"
    from notes
    where id = ${noteId}::uuid and workspace_id = ${workspaceId}::uuid and conversation_id = ${conversationId}::uuid`;
  if (!note) throw notFound('The note');
  if (!note.isOwn) throw new Refusal('forbidden', 'Only the author of a note can edit or delete it.');
  return { conversation, note };
}

/** Returns the condition on the notifications about a note. */
function isAbout({ conversationId, noteId }: Which): Prisma.Sql {
  return Prisma.sql`conversation_id = ${conversationId}::uuid and kind in ('noted', 'mentioned')
    and data->>'noteId' = ${noteId}::text`;
}

/** Adds that the bells of the workspace change. */
function withBells(planned: Planned<unknown>, { workspaceId }: Which): Planned<void> {
  const tellBells = () => publish(workspaceId, 'notifications');
  return { ...planned, result: undefined, after: [...(planned.after ?? []), { work: tellBells }] };
}

const NOTHING: Planned<void> = { result: undefined, parts: {} };

const CHANGED =
  'This note was changed somewhere else in the meantime. Read its new text, then save again to replace it.';
const CHANGED_BEFORE_DELETING =
  'This note was changed somewhere else in the meantime. Read its new text before you delete it.';
const DELETED = 'This note was deleted in the meantime. Copy your text and add it as a new note.';
const TOO_OFTEN = `This note was edited ${VERSIONS_MAX} times. Add a new note instead.`;

/** Stores the current text before the note is changed in the same statement. */
function storeText(noteId: string, { version }: NoteRow): Prisma.Sql {
  return Prisma.sql`
    insert into note_versions (note_id, number, content, formatted, written_at)
    select id, version, content, formatted, coalesce(edited_at, created_at) from notes
    where id = ${noteId}::uuid and version = ${version}::smallint`;
}
