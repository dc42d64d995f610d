import { setSilenced } from '#app/components/inbox/actions.ts';
import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import type { Priority } from '#server/screens/inbox/views.ts';

type Named = { id: string; name: string };

// Each shows a toast with Undo, unless it says otherwise.

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

/** Turns the AI agent off or on. Shows a toast only if that fails. Resolves once the conversation is refetched. Returns whether it was changed. */
export async function changeSilenced(id: string, silenced: boolean): Promise<boolean> {
  const failed = 'Could not change the AI agent';
  const { done } = await toastOutcome(setSilenced(id, silenced), { failed });
  if (done) await refetchTopic('conversations');
  return done;
}
