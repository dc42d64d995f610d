import type { Teammate } from '#server/contract/record-schemas.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Assigns a conversation to a teammate who can take it, or to no one; the one who has it already changes nothing.
 * Notifies the new assignee. Emits `conversation.assigned`, but not when it is only taken away (spec.md §6).
 */
export function assign(
  { assignee: previous }: Pick<LockedConversation, 'assignee'>,
  { assignee, actor, now }: { assignee: Teammate | null; actor: Actor; now: Date },
): Change {
  if (assignee === null) return previous ? unassign(previous) : changeOf();
  if (previous?.id === assignee.id) return changeOf();
  const byName = 'teammate' in actor ? actor.teammate.name : null;
  return changeOf({
    columns: { assigneeId: assignee.id, assignedAt: now },
    entries: [{ kind: 'assigned', data: { assigneeId: assignee.id, assigneeName: assignee.name } }],
    events: [{ key: 'conversation.assigned', details: { previous_assignee: previous } }],
    notifications: [{ userId: assignee.id, kind: 'assigned', data: { byName } }],
  });
}

function unassign(previous: Teammate): Change {
  return changeOf({
    columns: { assigneeId: null, assignedAt: null },
    entries: [{ kind: 'unassigned', data: { assigneeName: previous.name } }],
  });
}
