import { snooze } from '#server/inbox/conversations/changes.ts';
import { withLockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { type ValuesBefore, valuesBefore } from '#server/inbox/conversations/update-conversation.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Makes a conversation pending until a time, or cancels its snooze (null) and leaves it pending. `endSnoozes` reopens it.
 * A message of the contact or any other change of the status ends the snooze earlier.
 * @returns the values before, for `undoInBulk`
 * @throws Refusal when the conversation does not exist, was merged or is closed, or when the time is not possible
 */
export function snoozeConversation(input: {
  workspaceId: string;
  id: string;
  actor: Actor;
  until: Date | null;
}): Promise<ValuesBefore> {
  const { actor, until } = input;
  return withLockedConversation(input, async (tx, conversation) => {
    const now = new Date();
    await persistChange(tx, conversation, {
      actor,
      change: snooze(conversation, { until, now }),
      now,
    });
    return valuesBefore(conversation);
  });
}
