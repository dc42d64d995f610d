import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import type { Priority } from '#server/screens/inbox/views.ts';

type Named = { id: string; name: string };

// Each shows a toast with Undo.

export function changeAssignee(id: string, to: Named | null) {
  const done = to ? `Assigned to ${to.name}` : 'Unassigned';
  return changeConversation(id, { to: { kind: 'assignee', assigneeId: to?.id ?? null }, done });
}

export function changeTeam(id: string, to: Named | null) {
  const done = to ? `Moved to the team ${to.name}` : 'Removed from the team';
  return changeConversation(id, { to: { kind: 'team', teamId: to?.id ?? null }, done });
}

export function changePriority(id: string, to: Priority) {
  const done = `Priority set to ${priorityNames[to].toLowerCase()}`;
  return changeConversation(id, { to: { kind: 'priority', priority: to }, done });
}
