import { invalid } from '#server/core/errors.ts';
import { type Change, changeOf, setStatus } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  withLockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { type ValuesBefore, valuesBefore } from '#server/inbox/conversations/update-conversation.ts';
import type { Actor } from '#server/teammates/actor.ts';

const SNOOZE_MAX_DAYS = 366;
const DAY_MS = 86_400_000;

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
    await persistChange(tx, conversation, { actor, change: snooze(conversation, { until, now }), now });
    return valuesBefore(conversation);
  });
}

/**
 * Returns the change of `snoozeConversation`. Emits `conversation.status_changed`, unless the conversation is pending already.
 * @throws Refusal when the conversation is closed, or the time is past or too far away
 */
export function snooze(
  { record }: LockedConversation,
  { until, now }: { until: Date | null; now: Date },
): Change {
  if (until === null) return cancelSnooze(record);
  if (until <= now) throw invalid({ until: ['Choose a time in the future.'] });
  if (until.getTime() > now.getTime() + SNOOZE_MAX_DAYS * DAY_MS) {
    throw invalid({ until: ['Choose a time within the next year.'] });
  }
  const change = setStatus(record, { status: 'pending', now });
  return {
    ...change,
    columns: { ...change.columns, snoozedUntil: until },
    entries: [{ kind: 'snoozed', data: { until: until.toISOString() } }],
  };
}

function cancelSnooze({ status }: LockedConversation['record']): Change {
  if (status !== 'pending') return changeOf();
  return changeOf({
    columns: { snoozedUntil: null },
    entries: [{ kind: 'snooze_cancelled', data: {} }],
  });
}
