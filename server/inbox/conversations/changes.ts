import type { LoggedEventKey } from '#server/contract/program-events.ts';
import type { NewEvent } from '#server/contract/record-events.ts';
import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import { invalid } from '#server/core/errors.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import type { FlowCause } from '#server/inbox/conversations/flow-cause.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { ClockChange } from '#server/inbox/conversations/sla-clocks.ts';
import type { AssignmentTurn, StatusReason, TimelineContent } from '#server/inbox/conversations/timeline.ts';
import type { Actor } from '#server/teammates/actor.ts';
import type { NewNotification } from '#server/teammates/add-notifications.ts';

type ConversationEventKey = Exclude<LoggedEventKey, `contact.${string}`>;

/** An event about a conversation, without the conversation's record, which `persistChange` adds. */
export type ConversationEvent = {
  [Key in ConversationEventKey]: Omit<Extract<NewEvent, { key: Key }>, 'payload'> & {
    details: Omit<Extract<NewEvent, { key: Key }>['payload'], 'conversation'>;
  };
}[ConversationEventKey];

/**
 * A change of one conversation. Rules such as `setStatus` return a change without any I/O, `joinChanges` joins changes,
 * and `persistChange` writes the result in one statement.
 */
export type Change = {
  columns: Pick<
    Prisma.ConversationUncheckedUpdateManyInput,
    | 'status'
    | 'statusChangedAt'
    | 'resolvedAt'
    | 'snoozedUntil'
    | 'priority'
    | 'assigneeId'
    | 'assignedAt'
    | 'teamId'
    | 'aiAgentSilenced'
    | 'lastMessageAt'
    | 'lastInboundAt'
    | 'waitingSince'
    | 'mergedIntoId'
    | 'contactId'
    | 'contactClaimed'
    | 'linkedFromId'
    | 'mailboxId'
    | 'replyTo'
    | 'usesReplyTo'
    | 'removal'
    | 'removedAt'
  >;
  /** The changed fields of the conversation's record, which responses and events show. */
  record: Partial<ConversationRecord>;
  entries: TimelineContent[];
  events: ConversationEvent[];
  notifications: NewNotification[];
  clocks: ClockChange[];
  /** Inserts into other tables, for example of a message or a note. */
  rows: Prisma.Sql[];
  /** Inserts by `jobRow`. */
  jobs: Prisma.Sql[];
  /** Someone chose who is assigned, if only nobody: nothing is assigned automatically because of this change. */
  isAssigneeChosen: boolean;
  /** What can start flows, apart from what `entries` say. */
  flowCauses: FlowCause[];
};

/** Returns a change with the given parts. All other parts are empty. */
export function changeOf(change: Partial<Change> = {}): Change {
  return {
    columns: {},
    record: {},
    entries: [],
    events: [],
    notifications: [],
    clocks: [],
    rows: [],
    jobs: [],
    isAssigneeChosen: false,
    flowCauses: [],
    ...change,
  };
}

/** Joins changes of one conversation, in the given order. */
export function joinChanges(changes: Change[]): Change {
  return {
    columns: Object.assign({}, ...changes.map(({ columns }) => columns)),
    record: Object.assign({}, ...changes.map(({ record }) => record)),
    entries: changes.flatMap(({ entries }) => entries),
    events: changes.flatMap(({ events }) => events),
    notifications: changes.flatMap(({ notifications }) => notifications),
    clocks: changes.flatMap(({ clocks }) => clocks),
    rows: changes.flatMap(({ rows }) => rows),
    jobs: changes.flatMap(({ jobs }) => jobs),
    isAssigneeChosen: changes.some(({ isAssigneeChosen }) => isAssigneeChosen),
    flowCauses: changes.flatMap(({ flowCauses }) => flowCauses),
  };
}

export function isNothing(change: Change): boolean {
  return Object.values(change).every((part) => Object.keys(part).length === 0);
}

/** The effect of a new status on the SLA clocks. */
const CLOCKS: Record<ConversationStatus, ClockChange> = {
  open: 'resume',
  pending: 'pause',
  solved: 'stop',
  closed: 'stop',
};

/**
 * Returns a sentence that explains why a status change is not allowed; undefined if it is. Only `closed` is final
 * (docs/rulings.md 3.1).
 */
export function statusProblem(from: ConversationStatus, to: ConversationStatus): string | undefined {
  if (from !== 'closed' || to === 'closed') return undefined;
  return `The status cannot change from closed to ${to}: a closed conversation stays closed. Only open, pending and solved conversations can change.`;
}

/**
 * Sets the status and ends a snooze. Returns an empty change if the status stays the same. Emits
 * `conversation.status_changed`.
 * @throws Refusal when the conversation is closed
 */
export function setStatus(
  { status: from }: Pick<ConversationRecord, 'status'>,
  { status: to, now, because }: { status: ConversationStatus; now: Date; because?: StatusReason },
): Change {
  if (from === to) return changeOf();
  const problem = statusProblem(from, to);
  if (problem) throw invalid({ status: [problem] });
  return changeOf({
    columns: {
      status: to,
      statusChangedAt: now,
      ...(from === 'pending' ? { snoozedUntil: null } : {}),
      ...(to === 'solved' ? { resolvedAt: now } : {}),
    },
    record: { status: to, ...(to === 'solved' ? { resolved_at: timestamp(now) } : {}) },
    entries: [{ kind: 'status_changed', data: { from, to, ...(because ? { because } : {}) } }],
    events: [{ key: 'conversation.status_changed', details: { previous_status: from } }],
    clocks: [CLOCKS[to]],
  });
}

/** Sets the priority. Returns an empty change if the priority stays the same. */
export function setPriority({ priority: from }: Pick<ConversationRecord, 'priority'>, to: Priority): Change {
  if (from === to) return changeOf();
  return changeOf({
    columns: { priority: to },
    record: { priority: to },
    entries: [{ kind: 'priority_changed', data: { from, to } }],
  });
}

/** Moves a conversation to a team, or out of its team (null). Returns an empty change if the team stays the same. */
export function setTeam(
  { team: previous }: Pick<ConversationRecord, 'team'>,
  team: { id: string; name: string } | null,
): Change {
  if (previous?.id === team?.id) return changeOf();
  const entries: TimelineContent[] = [];
  if (team) entries.push({ kind: 'team_set', data: { teamId: team.id, teamName: team.name } });
  else if (previous) entries.push({ kind: 'team_removed', data: { teamName: previous.name } });
  return changeOf({ columns: { teamId: team?.id ?? null }, record: { team }, entries });
}

/**
 * Assigns a conversation to a teammate and notifies them, or unassigns it (null). Changes nothing if the assignee stays the same, and
 * `isAssigneeChosen` is true all the same. Emits `conversation.assigned` or, for programs only, `conversation.unassigned`
 * (docs/spec.md §6).
 * @param to.turn why an automatic assignment chose the teammate
 */
export function assign(
  { assignee: previous }: Pick<ConversationRecord, 'assignee'>,
  {
    assignee,
    actor,
    now,
    turn,
  }: { assignee: Teammate | null; actor: Actor; now: Date; turn?: AssignmentTurn },
): Change {
  if (assignee === null && previous) return unassign(previous);
  if (assignee === null || previous?.id === assignee.id) return changeOf({ isAssigneeChosen: true });
  const byName = 'teammate' in actor ? actor.teammate.name : actor.kind === 'program' ? actor.name : null;
  return changeOf({
    columns: { assigneeId: assignee.id, assignedAt: now },
    record: { assignee },
    entries: [
      {
        kind: 'assigned',
        data: { assigneeId: assignee.id, assigneeName: assignee.name, ...(turn ? { turn } : {}) },
      },
    ],
    events: [{ key: 'conversation.assigned', details: { previous_assignee: previous } }],
    notifications: [{ userId: assignee.id, kind: 'assigned', data: { byName } }],
    isAssigneeChosen: true,
  });
}

function unassign(previous: Teammate): Change {
  return changeOf({
    columns: { assigneeId: null, assignedAt: null },
    record: { assignee: null },
    entries: [{ kind: 'unassigned', data: { assigneeName: previous.name } }],
    events: [{ key: 'conversation.unassigned', details: { previous_assignee: previous } }],
    isAssigneeChosen: true,
  });
}

const LATER_MAX_DAYS = 366;
const DAY_MS = 86_400_000;

/** Returns a sentence that explains why a snooze or a reply cannot wait until a time; undefined if it can. */
export function laterTimeProblem(until: Date, now: Date): string | undefined {
  if (until <= now) return 'Choose a time in the future.';
  return until.getTime() > now.getTime() + LATER_MAX_DAYS * DAY_MS
    ? 'Choose a time within the next year.'
    : undefined;
}

/**
 * Makes a conversation pending until a time, or cancels its snooze (null). Emits `conversation.status_changed`, unless the
 * conversation is pending already.
 * @throws Refusal when the conversation is closed, or the time is past or too far away
 */
export function snooze(
  { record, snoozedUntil }: Pick<LockedConversation, 'record' | 'snoozedUntil'>,
  { until, now }: { until: Date | null; now: Date },
): Change {
  if (until === null) return snoozedUntil === null ? changeOf() : cancelSnooze(now);
  const problem = laterTimeProblem(until, now);
  if (problem) throw invalid({ until: [problem] });
  const change = setStatus(record, { status: 'pending', now });
  return {
    ...change,
    columns: { ...change.columns, snoozedUntil: until },
    entries: [{ kind: 'snoozed', data: { until: until.toISOString() } }],
  };
}

/** Automations that wait for time count from now on: while it was snoozed, others had their turn. */
function cancelSnooze(now: Date): Change {
  return changeOf({
    columns: { snoozedUntil: null, statusChangedAt: now },
    entries: [{ kind: 'snooze_cancelled', data: {} }],
  });
}
