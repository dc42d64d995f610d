import { v7 as uuidv7 } from 'uuid';
import type { NoteRecord, Teammate } from '#server/contract/records/record-schemas.ts';
import type { Tx } from '#server/ground/db.ts';
import { changeOf } from '#server/inbox/conversations/change.ts';
import {
  type LockedConversation,
  withLockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';
import { findMentions } from '#server/inbox/notes/find-mentions.ts';
import { noteRecord } from '#server/inbox/notes/note-record.ts';
import type { NewNotification } from '#server/people/notify/add-notifications.ts';
import { actorColumns, type PersonalActor } from '#server/people/teammates/actor.ts';

/**
 * Adds an internal note of a teammate to a conversation; the contact never sees it. The assignee and every teammate
 * mentioned are notified, never the author (spec.md §4.2, POST notes). Emits nothing. Whether the plan includes notes
 * is for the caller to ask.
 * @throws Refusal when there is no such conversation or it was merged
 */
export async function addNote(given: {
  workspaceId: string;
  id: string;
  actor: PersonalActor;
  content: string;
}): Promise<NoteRecord> {
  const { workspaceId, id, actor, content } = given;
  return withLockedConversation({ workspaceId, id, actor }, async (tx, conversation) => {
    const now = new Date();
    const mentioned = await mentionedIn(tx, { workspaceId, content, authorId: actor.teammate.id });
    const note = { id: uuidv7(), conversationId: conversation.id, content, createdAt: now };
    await insertNote(tx, { workspaceId, actor, note, mentioned });
    const data = { byName: actor.teammate.name, noteId: note.id };
    const change = changeOf({ notifications: toldOf(conversation, { mentioned, data }) });
    await writeChange(tx, conversation, { actor, change, now });
    return noteRecord(note);
  });
}

type Note = { id: string; conversationId: string; content: string; createdAt: Date };

/** The note and whom it mentions; one round trip. */
async function insertNote(
  tx: Tx,
  given: { workspaceId: string; actor: PersonalActor; note: Note; mentioned: Teammate[] },
): Promise<void> {
  const { id, conversationId, content, createdAt } = given.note;
  const { actorKind, actorId, actorName, connectionId } = actorColumns(given.actor);
  const mentioned = given.mentioned.map((teammate) => teammate.id);
  await tx.$executeRaw`
    with note as (
      insert into notes
        (id, workspace_id, conversation_id, author_kind, author_id, author_name, connection_id, content, created_at)
      values (${id}::uuid, ${given.workspaceId}::uuid, ${conversationId}::uuid, ${actorKind}::actor_kind, ${actorId}::uuid,
        ${actorName}, ${connectionId}::uuid, ${content}, ${createdAt}::timestamptz)
    )
    insert into note_mentions (note_id, user_id) select ${id}::uuid, user_id from unnest(${mentioned}::uuid[]) user_id`;
}

/** Mentioned teammates are notified; the assignee too, unless mentioned anyway. */
function toldOf(
  { assignee }: LockedConversation,
  { mentioned, data }: { mentioned: Teammate[]; data: { byName: string; noteId: string } },
): NewNotification[] {
  const notifications = mentioned.map(({ id: userId }) => ({ userId, kind: 'mentioned' as const, data }));
  if (!assignee || mentioned.some(({ id }) => id === assignee.id)) return notifications;
  return [{ userId: assignee.id, kind: 'noted', data }, ...notifications];
}

async function mentionedIn(
  tx: Tx,
  { workspaceId, content, authorId }: { workspaceId: string; content: string; authorId: string },
): Promise<Teammate[]> {
  if (!content.includes('@')) return [];
  const members = await tx.$queryRaw<Teammate[]>`
    select u.id, u.name, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id <> ${authorId}::uuid`;
  return findMentions(content, members);
}
