import { tagKey } from '#server/contract/tag-key.ts';
import { db } from '#server/core/database/prisma.ts';
import { invalid, Refusal, refusalIn } from '#server/core/errors.ts';
import type { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import type { Check, LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { removeConversation, restoreConversation } from '#server/inbox/conversations/removal.ts';
import type { ClockChange } from '#server/inbox/conversations/sla-clocks.ts';
import { snoozeConversation } from '#server/inbox/conversations/snooze-conversation.ts';
import { addTags, removeTags } from '#server/inbox/conversations/tags.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { type ValuesBefore, valuesBefore } from '#server/inbox/conversations/values-before.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

/** A change that Undo can revert, of one or many conversations. `closed` is missing, because closing is final. */
export type BulkChange =
  | { kind: 'status'; status: Exclude<ConversationStatus, 'closed'> }
  | { kind: 'priority'; priority: Priority }
  | { kind: 'assignee'; assigneeId: string | null }
  | { kind: 'team'; teamId: string | null }
  | { kind: 'tags'; tags: string[] }
  | { kind: 'snooze'; until: Date | null }
  | { kind: 'spam' };

/** The changed conversations, and why the others stayed as they were. */
export type BulkOutcome = { changed: ValuesBefore[]; skipped: { id: string; problem: string }[] };

type Given = { workspaceId: string; actor: PersonalActor };

/**
 * Changes conversations one after the other, each in a separate transaction, as a teammate would. A conversation that
 * cannot be changed or has the value already is skipped.
 */
export function changeInBulk({
  ids,
  change,
  ...given
}: Given & { ids: string[]; change: BulkChange }): Promise<BulkOutcome> {
  return forEach(given, ids, async (id) => {
    let before: ValuesBefore | undefined;
    const check: Check = (conversation) => {
      if (has(conversation, change)) throw invalid({ conversation: [NOTHING_TO_CHANGE] });
      before = valuesOf(conversation, change);
    };
    await apply({ ...given, id, check }, change);
    if (!before) throw new Error('A change locks its conversation.');
    return before;
  });
}

/** Restores the values before a change, except of conversations that somebody changed since. */
export function undoInBulk({
  before,
  change,
  ...given
}: Given & { before: ValuesBefore[]; change: BulkChange }): Promise<BulkOutcome> {
  const byId = new Map(before.map((values) => [values.id, values]));
  return forEach(given, [...byId.keys()], async (id) => {
    const values = byId.get(id);
    if (!values) throw new Error('Every id has values.');
    const check: Check = (conversation) => {
      // A change of the status leaves no snooze, so a snooze is a later change.
      const isSnoozedSince = change.kind === 'status' && conversation.snoozedUntil !== null;
      if (isSnoozedSince || !has(conversation, change)) {
        throw invalid({ conversation: ['It has been changed since.'] });
      }
    };
    await restore({ ...given, id, check }, change, values);
    return values;
  });
}

/**
 * Reads the role before each conversation: a teammate who leaves or becomes a viewer in the meantime changes no further one.
 * @param work throws a Refusal to skip the conversation
 */
async function forEach(
  { workspaceId, actor }: Given,
  ids: string[],
  work: (id: string) => Promise<ValuesBefore>,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { changed: [], skipped: [] };
  for (const id of ids) {
    try {
      if (!(await findAssignable(db(), { workspaceId, id: actor.teammate.id })))
        throw new Refusal('forbidden', NO_LONGER);
      outcome.changed.push(await work(id));
    } catch (error) {
      const refusal = refusalIn(error);
      if (!refusal) throw error;
      outcome.skipped.push({ id, problem: refusal.message });
    }
  }
  return outcome;
}

/** Returns the values of a locked conversation that the change can replace. */
function valuesOf(conversation: LockedConversation, change: BulkChange): ValuesBefore {
  const before = valuesBefore(conversation);
  if (change.kind !== 'tags') return before;
  return { ...before, addedTags: change.tags.filter((tag) => !hasTag(conversation, tag)) };
}

const NO_LONGER = 'You have left this workspace or are now a viewer.';
const NOTHING_TO_CHANGE = 'There was nothing to change.';

/** Returns whether the conversation has the value that the change sets. */
function has(conversation: LockedConversation, change: BulkChange): boolean {
  const { status, snoozedUntil, priority, assigneeId, teamId } = valuesBefore(conversation);
  switch (change.kind) {
    case 'status':
      return status === change.status;
    case 'priority':
      return priority === change.priority;
    case 'assignee':
      return assigneeId === change.assigneeId;
    case 'team':
      return teamId === change.teamId;
    case 'tags':
      return change.tags.every((tag) => hasTag(conversation, tag));
    case 'snooze':
      return status === 'pending' && snoozedUntil?.getTime() === change.until?.getTime();
    case 'spam':
      return conversation.removal === 'spam';
  }
}

function hasTag({ record }: LockedConversation, tag: string): boolean {
  return record.tags.some((present) => tagKey(present) === tagKey(tag));
}

type Which = Given & { id: string; check: Check };

function apply(which: Which, change: BulkChange): Promise<unknown> {
  switch (change.kind) {
    case 'status':
    case 'priority':
    case 'assignee':
    case 'team':
      return updateConversation({ ...which, changes: change });
    case 'tags':
      return addTags({ ...which, tags: change.tags });
    case 'snooze':
      return snoozeConversation({ ...which, until: change.until });
    case 'spam':
      return removeConversation({ ...which, to: 'spam' });
  }
}

function restore(which: Which, change: BulkChange, before: ValuesBefore): Promise<unknown> {
  switch (change.kind) {
    case 'status':
    case 'snooze':
      return restoreStatus(which, change, before);
    case 'priority':
      return updateConversation({ ...which, changes: { priority: before.priority } });
    case 'assignee':
      return updateConversation({ ...which, changes: { assigneeId: before.assigneeId } });
    case 'team':
      return updateConversation({ ...which, changes: { teamId: before.teamId } });
    case 'tags':
      return removeTags({ ...which, tags: before.addedTags });
    case 'spam':
      return restoreConversation({ ...which, from: 'spam' });
  }
}

/** Restores the status, a snooze that is not over yet, and a first response clock that solving stopped. */
function restoreStatus(
  which: Which,
  change: Extract<BulkChange, { kind: 'status' | 'snooze' }>,
  { status, snoozedUntil }: ValuesBefore,
): Promise<unknown> {
  const until = snoozedUntil && snoozedUntil > new Date() ? snoozedUntil : null;
  const isPending = status === 'pending';
  const hasSolved = change.kind === 'status' && change.status === 'solved' && status !== 'solved';
  const clocks: ClockChange[] = hasSolved ? ['undo_solving'] : [];
  // A snoozed conversation is pending already, so setting its status would not end the snooze.
  return isPending && (until || change.kind === 'snooze')
    ? snoozeConversation({ ...which, until, clocks })
    : updateConversation({ ...which, changes: { status }, clocks });
}
