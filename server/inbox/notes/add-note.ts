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
 * mentioned are told, never the author (spec.md §4.2, POST notes). Emits nothing. Whether the plan includes notes
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
    const { actorKind, actorId, actorName, connectionId } = actorColumns(actor);
    const note = await tx.note.create({
      data: {
        workspaceId,
        conversationId: id,
        authorKind: actorKind,
        authorId: actorId,
        authorName: actorName,
        connectionId,
        content,
        createdAt: now,
      },
      select: { id: true, conversationId: true, content: true, createdAt: true },
    });
    if (mentioned.length > 0) {
      await tx.noteMention.createMany({
        data: mentioned.map(({ id: userId }) => ({ noteId: note.id, userId })),
      });
    }
    const data = { byName: actor.teammate.name, noteId: note.id };
    const change = changeOf({ notifications: toldOf(conversation, { mentioned, data }) });
    await writeChange(tx, conversation, { actor, change, now });
    return noteRecord(note);
  });
}

/** Whoever is mentioned is told so; the assignee is told of the note unless mentioned anyway. */
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
  const members = await tx.member.findMany({
    where: { workspaceId, userId: { not: authorId } },
    select: { user: { select: { id: true, name: true, email: true } } },
    relationLoadStrategy: 'join',
  });
  return findMentions(
    content,
    members.map(({ user }) => user),
  );
}
