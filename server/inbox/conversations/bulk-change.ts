import { tagKey } from '#server/contract/tag-key.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { invalid, Refusal, refusalIn } from '#server/core/errors.ts';
import type { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { type Change, changeOf, joinChanges, snooze } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  lockConversation,
  refuseReadOnly,
} from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { remove, restore } from '#server/inbox/conversations/removal.ts';
import { tag, untag } from '#server/inbox/conversations/tags.ts';
import {
  type ConversationChanges,
  changeFields,
  findChoices,
  type ValuesBefore,
  valuesBefore,
} from '#server/inbox/conversations/update-conversation.ts';
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

type By = { workspaceId: string; actor: PersonalActor };
type Which = By & { id: string };

/**
 * Changes conversations one after the other, each in a separate transaction, as a teammate would. A conversation that
 * cannot be changed or has the value already is skipped.
 */
export function changeInBulk({
  ids,
  change,
  ...by
}: By & { ids: string[]; change: BulkChange }): Promise<BulkOutcome> {
  return forEach(by, ids, (tx, which) => changeOne(tx, which, change));
}

/** Restores the values before a change, except of conversations that somebody changed since. */
export function undoInBulk({
  before,
  change,
  ...by
}: By & { before: ValuesBefore[]; change: BulkChange }): Promise<BulkOutcome> {
  const byId = new Map(before.map((values) => [values.id, values]));
  return forEach(by, [...byId.keys()], async (tx, which) => {
    const values = byId.get(which.id);
    if (!values) throw new Error('Every id has values.');
    await undoOne(tx, which, change, values);
    return values;
  });
}

async function changeOne(tx: SqlDb, which: Which, change: BulkChange): Promise<ValuesBefore> {
  const { workspaceId, actor } = which;
  const choices = await findChoices(tx, { workspaceId, changes: fieldsOf(change) });
  const conversation = await lockConversation(tx, which);
  if (has(conversation, change)) throw invalid({ conversation: [NOTHING_TO_CHANGE] });
  refuseReadOnly(conversation);
  const now = new Date();
  const decided = decide(conversation, change, { ...choices, actor, now });
  await persistChange(tx, conversation, { actor, change: decided, now });
  return valuesOf(conversation, change);
}

async function undoOne(tx: SqlDb, which: Which, change: BulkChange, before: ValuesBefore): Promise<void> {
  const { workspaceId, actor } = which;
  const choices = await findChoices(tx, { workspaceId, changes: fieldsBefore(change, before) });
  const conversation = await lockConversation(tx, which);
  // A change of the status leaves no snooze, so a snooze is a later change.
  const isSnoozedSince = change.kind === 'status' && conversation.snoozedUntil !== null;
  if (isSnoozedSince || !has(conversation, change)) throw invalid({ conversation: [CHANGED_SINCE] });
  if (change.kind !== 'spam') refuseReadOnly(conversation);
  const now = new Date();
  const decided = decideBack(conversation, change, { before, ...choices, actor, now });
  await persistChange(tx, conversation, { actor, change: decided, now });
}

/** Changes a conversation in a transaction. Throws a Refusal to skip it. */
type Work = (tx: SqlDb, which: Which) => Promise<ValuesBefore>;

/**
 * Reads the role before each conversation: a teammate who leaves or becomes a viewer in the meantime changes no further one.
 */
async function forEach(by: By, ids: string[], work: Work): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { changed: [], skipped: [] };
  for (const id of ids) {
    try {
      const author = await findAssignable(sql(), { ...by, id: by.actor.teammate.id });
      if (!author) throw new Refusal('forbidden', NO_LONGER);
      outcome.changed.push(await sqlTransaction((tx) => work(tx, { ...by, id })));
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
const CHANGED_SINCE = 'It has been changed since.';

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

/** Returns the fields that the change sets. */
function fieldsOf(change: BulkChange): ConversationChanges {
  return change.kind === 'tags' || change.kind === 'snooze' || change.kind === 'spam' ? {} : change;
}

/** Returns the fields that the change set, with their values before. */
function fieldsBefore(change: BulkChange, before: ValuesBefore): ConversationChanges {
  const names = Object.keys(fieldsOf(change)).filter((name) => name in before);
  return Object.fromEntries(names.map((name) => [name, before[name as keyof ValuesBefore]]));
}

type Decision = Awaited<ReturnType<typeof findChoices>> & { actor: PersonalActor; now: Date };

function decide(conversation: LockedConversation, change: BulkChange, by: Decision): Change {
  switch (change.kind) {
    case 'tags':
      return tag(conversation, { ...by, tags: change.tags });
    case 'snooze':
      return snooze(conversation, { ...by, until: change.until });
    case 'spam':
      return remove(conversation, { ...by, to: 'spam' });
    default:
      return changeFields(conversation, { ...by, changes: change });
  }
}

function decideBack(
  conversation: LockedConversation,
  change: BulkChange,
  { before, ...by }: Decision & { before: ValuesBefore },
): Change {
  switch (change.kind) {
    case 'tags':
      return untag(conversation, before.addedTags);
    case 'spam':
      return restore(conversation.record, 'spam');
    case 'status':
    case 'snooze':
      return restoreStatus(conversation, change, { before, ...by });
    default:
      return changeFields(conversation, { ...by, changes: fieldsBefore(change, before) });
  }
}

/** Restores the status, a snooze that is not over yet, and a first response clock that solving stopped. */
function restoreStatus(
  conversation: LockedConversation,
  change: Extract<BulkChange, { kind: 'status' | 'snooze' }>,
  { before: { status, snoozedUntil }, ...by }: Decision & { before: ValuesBefore },
): Change {
  const until = snoozedUntil && snoozedUntil > by.now ? snoozedUntil : null;
  const hasSolved = change.kind === 'status' && change.status === 'solved' && status !== 'solved';
  // A snoozed conversation is pending already, so setting its status would not end the snooze.
  const restored =
    status === 'pending' && (until || change.kind === 'snooze')
      ? snooze(conversation, { ...by, until })
      : changeFields(conversation, { ...by, changes: { status } });
  return joinChanges([restored, changeOf({ clocks: hasSolved ? ['undo_solving'] : [] })]);
}
