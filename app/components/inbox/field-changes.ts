import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import type { Priority } from '#server/screens/inbox/views.ts';

type Named = { id: string; name: string };

// Each shows a toast with Undo, which needs the value `from` before the change.

export function changeAssignee(id: string, { from, to }: { from: Named | null; to: Named | null }) {
  return changeConversation(id, {
    to: { assigneeId: to?.id ?? null },
    done: to ? `Assigned to ${to.name}` : 'Unassigned',
    back: { assigneeId: from?.id ?? null },
  });
}

export function changeTeam(id: string, { from, to }: { from: Named | null; to: Named | null }) {
  return changeConversation(id, {
    to: { teamId: to?.id ?? null },
    done: to ? `Moved to the team ${to.name}` : 'Removed from the team',
    back: { teamId: from?.id ?? null },
  });
}

export function changePriority(id: string, { from, to }: { from: Priority; to: Priority }) {
  return changeConversation(id, {
    to: { priority: to },
    done: `Priority set to ${priorityNames[to].toLowerCase()}`,
    back: { priority: from },
  });
}
