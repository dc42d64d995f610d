import { v7 as uuidv7 } from 'uuid';
import type { FormattedText } from '#server/contract/formatted-text.ts';
import type { NoteRecord, Teammate } from '#server/contract/record-schemas.ts';
import type { Planned } from '#server/core/database/planned.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { findMentions } from '#server/inbox/conversations/find-mentions.ts';
import { type LockedConversation, lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { planChange } from '#server/inbox/conversations/persist-change.ts';
import { noteFileRows } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { authorColumns, nameOfWriter, type WritingActor, writerOf } from '#server/teammates/actor.ts';
import type { NewNotification } from '#server/teammates/add-notifications.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';

type NewNote = {
  workspaceId: string;
  /** Id of the conversation. */
  id: string;
  actor: WritingActor;
  content: string;
  /** Its plain text is `content`. */
  formatted?: FormattedText | null;
  files?: StoredFile[];
  /** Id of the note, if the page created it. */
  noteId?: string | undefined;
};

/**
 * Adds an internal note to a conversation and notifies the assignee and the mentioned teammates, never the author
 * (docs/spec.md §4.2, POST notes; docs/rulings.md 3.10). Emits `note.added`, which only programs get. The caller checks that the plan includes notes.
 * @throws Refusal when the conversation does not exist, is spam or deleted, or was merged, or as `noteFileRows` does
 */
export async function addNote(tx: SqlDb, newNote: NewNote): Promise<Planned<NoteRecord>> {
  const { workspaceId, actor, content, formatted = null, files = [], noteId = uuidv7() } = newNote;
  const mentioned = await mentionedIn(newNote);
  const conversation = await lockForChange(tx, newNote);
  const now = new Date();
  const data = { byName: nameOfWriter(actor), noteId };
  const note: NoteRecord = {
    id: noteId,
    conversation_id: conversation.id,
    content,
    created_at: timestamp(now),
    url: conversationUrl(conversation.id),
  };
  const change = changeOf({
    notifications: notificationsFor(conversation, { mentioned, data, writer: writerOf(actor) }),
    rows: [
      ...noteRows(conversation, { id: noteId, content, formatted, actor, mentioned, now }),
      ...(await noteFileRows(tx, { workspaceId, noteId, files, now })),
    ],
    events: [{ key: 'note.added', details: { note } }],
  });
  return { ...planChange(conversation, { actor, change, now }), result: note };
}

function noteRows(
  { id: conversationId, workspaceId }: LockedConversation,
  newNote: Pick<NewNote, 'id' | 'content' | 'actor'> & {
    formatted: FormattedText | null;
    mentioned: Teammate[];
    now: Date;
  },
): Prisma.Sql[] {
  const { id, content, formatted, now } = newNote;
  const author = authorColumns(newNote.actor);
  const mentioned = newNote.mentioned.map((teammate) => teammate.id);
  const note = Prisma.sql`
    insert into notes
      (id, workspace_id, conversation_id, author_kind, author_id, author_name, connection_id, program_name, content, formatted, created_at)
    values (${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, ${author.authorKind}::actor_kind, ${author.authorId}::uuid,
      ${author.authorName}::text, ${author.connectionId}::uuid, ${author.programName}::text, ${content}::text,
      ${formatted && JSON.stringify(formatted)}::json, ${now}::timestamptz)`;
  return [note, ...mentionRows(id, mentioned)];
}

/** Returns the statement that stores whom a note mentions, if anyone. */
export function mentionRows(noteId: string, userIds: string[]): Prisma.Sql[] {
  if (userIds.length === 0) return [];
  return [
    Prisma.sql`
      insert into note_mentions (note_id, user_id)
      select ${noteId}::uuid, user_id from unnest(${userIds}::uuid[]) user_id`,
  ];
}

/** Returns one notification for each mentioned teammate, and one for the assignee unless mentioned or the writer. */
function notificationsFor(
  { record: { assignee } }: LockedConversation,
  {
    mentioned,
    data,
    writer,
  }: { mentioned: Teammate[]; data: { byName: string; noteId: string }; writer: Teammate | null },
): NewNotification[] {
  const notifications = mentioned.map(({ id: userId }) => ({ userId, kind: 'mentioned' as const, data }));
  const isTold = [...mentioned, writer].some((each) => each?.id === assignee?.id);
  if (!assignee || isTold) return notifications;
  return [{ userId: assignee.id, kind: 'noted', data }, ...notifications];
}

/** Returns the teammates whom a note mentions, without its writer. */
export async function mentionedIn({
  workspaceId,
  actor,
  content,
}: Pick<NewNote, 'workspaceId' | 'actor' | 'content'>): Promise<Teammate[]> {
  if (!content.includes('@')) return [];
  const members = await sql().$queryRaw<Teammate[]>`
    select u.id, u.name, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id is distinct from ${writerOf(actor)?.id ?? null}::uuid`;
  return findMentions(content, members);
}

/** Maximum length of a note, in characters (docs/spec.md §8). */
export const NOTE_MAX_LENGTH = 10_000;

/** Returns a sentence that says which plan notes need; undefined if the given plan includes them (docs/spec.md §1). */
export function notesProblem(plan: Plan): string | undefined {
  if (PLANS[plan].internalNotes) return undefined;
  return `Internal notes need the ${lowestPlanWith('internalNotes')} plan or higher.`;
}
