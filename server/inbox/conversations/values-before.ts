import type { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';

/** The values of a conversation that a change can replace. `addedTags`: the tags that the change added. */
export type ValuesBefore = {
  id: string;
  status: ConversationStatus;
  snoozedUntil: Date | null;
  priority: Priority;
  assigneeId: string | null;
  teamId: string | null;
  addedTags: string[];
};

/** Returns the current values, before a change that adds no tags. */
export function valuesBefore({ id, snoozedUntil, record }: LockedConversation): ValuesBefore {
  const { status, priority, assignee, team } = record;
  return {
    id,
    status,
    snoozedUntil,
    priority,
    assigneeId: assignee?.id ?? null,
    teamId: team?.id ?? null,
    addedTags: [],
  };
}
