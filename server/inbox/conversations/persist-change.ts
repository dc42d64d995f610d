import { type NewEvent, planEvents } from '#server/contract/record-events.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { numbered } from '#server/core/database/parts.ts';
import { type Planned, writePlanned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { jobRow, startMovingJobs } from '#server/core/jobs/outbox.ts';
import { publish, publishConversation } from '#server/core/live/publish.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type Change, type ConversationEvent, isNothing } from '#server/inbox/conversations/changes.ts';
import type { FlowCause } from '#server/inbox/conversations/flow-cause.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { flowRows } from '#server/inbox/conversations/plan-flows.ts';
import { assignmentParts, assignsNobody } from '#server/inbox/conversations/request-assignment.ts';
import { clockStatements } from '#server/inbox/conversations/sla-clocks.ts';
import { timelineRows } from '#server/inbox/conversations/timeline.ts';
import { absentAssigneeRows } from '#server/teammates/absent-assignee.ts';
import { type Actor, causeOf } from '#server/teammates/actor.ts';
import {
  endedNotificationRows,
  notificationRows,
  teamNotificationRows,
} from '#server/teammates/add-notifications.ts';

type Columns = Change['columns'];

type Decided = {
  actor: Actor;
  change: Change;
  now: Date;
  /** What started the flow that made the change. */
  flowCause?: FlowCause | undefined;
  /** The conversation was inserted at `now` in this transaction, so `updated_at` is right already. */
  isInserted?: boolean;
  /** Events of other records that come before those of the conversation. */
  earlierEvents?: NewEvent[];
};

const COLUMNS = {
  status: 'status = $::conversation_status',
  statusChangedAt: 'status_changed_at = $::timestamptz',
  resolvedAt: 'resolved_at = $::timestamptz',
  snoozedUntil: 'snoozed_until = $::timestamptz',
  priority: 'priority = $::priority',
  assigneeId: 'assignee_id = $::uuid',
  assignedAt: 'assigned_at = $::timestamptz',
  teamId: 'team_id = $::uuid',
  aiAgentSilenced: 'ai_agent_silenced = $::boolean',
  lastMessageAt: 'last_message_at = $::timestamptz',
  // The contact has been waiting since an earlier message, unless a teammate solved the conversation after it.
  lastInboundAt: `last_inbound_at = $::timestamptz, waiting_since =
    case when status in ('open', 'pending') then coalesce(waiting_since, $::timestamptz) else $::timestamptz end`,
  waitingSince: 'waiting_since = $::timestamptz',
  mergedIntoId: 'merged_into_id = $::uuid',
  contactId: 'contact_id = $::uuid',
  contactClaimed: 'contact_claimed = $::boolean',
  linkedFromId: 'linked_from_id = $::uuid',
  mailboxId: 'mailbox_id = $::uuid',
  replyTo: 'reply_to = $::text[]',
  usesReplyTo: 'uses_reply_to = $::boolean',
  removal: 'removal = $::removal',
  removedAt: 'removed_at = $::timestamptz',
} as const satisfies Record<keyof Columns, string>;

/**
 * Plans the statement that writes a change of a locked conversation: its columns and `updated_at`, timeline, SLA clocks,
 * notifications, rows of other tables, jobs and events. After the commit, moves jobs, wakes workers and notifies open
 * pages. Test conversations with the AI agent emit no events (docs/spec.md §6). Spam and deleted conversations emit no
 * events and notify no one (docs/rulings.md 3.34).
 * The result is the record after the change.
 */
export function planChange(conversation: LockedConversation, decided: Decided): Planned<ConversationRecord> {
  const { actor, now, flowCause, isInserted = false, earlierEvents = [] } = decided;
  const change = conversation.removal === null ? decided.change : withoutConsequences(decided.change);
  if (isNothing(change)) return { result: conversation.record, parts: {} };
  const { id: conversationId, workspaceId, isTest } = conversation;
  const record = { ...conversation.record, ...change.record, updated_at: timestamp(now) };
  const events = isTest ? [] : [...earlierEvents, ...eventsWith(record, change.events)];
  const recording = planEvents({ workspaceId, events, cause: causeOf(actor, record.contact), now }, record);
  const jobs = [
    ...change.jobs,
    ...ratingRequest(conversation, change),
    ...flowRows(conversation, { actor, change, now }),
  ];
  const at = { workspaceId, conversationId, actor, now };
  const notified = notificationRows({ ...at, notifications: change.notifications });
  const newTeamId = change.record.team === undefined ? undefined : (change.record.team?.id ?? null);
  const inTeam =
    newTeamId && !isTest
      ? teamNotificationRows({ ...at, notifications: change.notifications, teamId: newTeamId })
      : null;
  const ended = endedNotifications(conversation, { change, now });
  const isWritten = isInserted && Object.keys(change.columns).length === 0;
  const assignment = assignmentParts(conversation, { actor, change });
  const parts = {
    changed: isWritten ? null : columnsStatement(conversationId, { columns: change.columns, now }),
    ...numbered('row', change.rows),
    timeline: timelineRows({ ...at, entries: change.entries, flowCause }),
    notified,
    inTeam,
    inPlaceOf: inPlaceOfAssignee(at, { record, change }),
    ended,
    ...assignment,
    ...numbered('clock', clockStatements(change.clocks, { conversationId, now, teamId: newTeamId })),
    ...numbered('job', jobs),
    ...recording.parts,
  };
  const tellPages = () => {
    publish(workspaceId, 'conversations');
    // The contact may have the chat open in a browser.
    if (record.channel === 'webchat') publishConversation(conversationId);
  };
  const tellBells = () => publish(workspaceId, 'notifications');
  // Removing marks notifications as read, and deleted conversations are named only for some roles.
  const isRemovedOrRestored = change.columns.removal !== undefined;
  const after = [
    ...(jobs.length > 0 ? [{ work: startMovingJobs }] : []),
    ...(assignment.requested ? [{ ifRows: 'requested', work: startMovingJobs }] : []),
    ...(recording.after ?? []),
    { work: tellPages },
    notified || inTeam || isRemovedOrRestored ? { work: tellBells } : { ifRows: 'ended', work: tellBells },
  ];
  return { result: record, parts, after };
}

/** Writes a change as `planChange` plans it. Returns the record after the change. */
export function persistChange(
  tx: SqlDb,
  conversation: LockedConversation,
  decided: Decided,
): Promise<ConversationRecord> {
  return writePlanned(tx, planChange(conversation, decided));
}

/**
 * Returns the statement that ends notifications which the change makes untrue, or null if it makes none untrue. A removal
 * marks all as read itself.
 */
function endedNotifications(
  { id: conversationId, record }: LockedConversation,
  { change: { columns }, now }: { change: Change; now: Date },
): Prisma.Sql | null {
  const { assigneeId, status, waitingSince, mergedIntoId, removal } = columns;
  const isDone = status === 'solved' || status === 'closed' || typeof mergedIntoId === 'string';
  const isTaken = typeof assigneeId === 'string' || status === 'pending' || waitingSince === null;
  if (removal !== undefined || (assigneeId === undefined && !isTaken && !isDone)) return null;
  const assignee = assigneeId === undefined ? (record.assignee?.id ?? null) : (assigneeId as string | null);
  return endedNotificationRows({ conversationId, assigneeId: assignee, isTaken, isDone, now });
}

/**
 * Returns the statement that notifies others in place of an assignee who is away, or null if the change does not notify the assignee
 * that the contact wrote. Nobody in a team that assigns automatically, because the conversation is assigned to someone else there.
 */
function inPlaceOfAssignee(
  at: { workspaceId: string; conversationId: string; now: Date },
  { record: { assignee, team }, change }: { record: ConversationRecord; change: Change },
): Prisma.Sql | null {
  if (!assignee || !change.notifications.some(({ kind }) => kind === 'contact_wrote')) return null;
  const teamId = team?.id ?? null;
  return absentAssigneeRows({ ...at, assigneeId: assignee.id, teamId }, assignsNobody(teamId));
}

/** Leaves only what the conversation itself shows. Its SLA clocks were stopped, and only restoring it changes them. */
function withoutConsequences(change: Change): Change {
  const isRestored = change.columns.removal === null;
  return { ...change, events: [], notifications: [], clocks: isRestored ? change.clocks : [] };
}

function columnsStatement(
  conversationId: string,
  { columns, now }: { columns: Columns; now: Date },
): Prisma.Sql {
  const set = Object.entries(columns).map(([key, value]) => {
    const [before = '', ...rest] = COLUMNS[key as keyof Columns].split('$');
    const parts = rest.flatMap((text) => [value, Prisma.raw(text)]);
    return Prisma.sql`${Prisma.join([Prisma.raw(before), ...parts], '')}, `;
  });
  return Prisma.sql`
    update conversations set ${set.length === 0 ? Prisma.empty : Prisma.join(set, '')}updated_at = ${now}::timestamptz
    where id = ${conversationId}::uuid`;
}

/**
 * Returns the job that asks for a rating if the change solves the conversation. The job waits `RATING_REQUEST_DELAY`
 * seconds, because conversations are often reopened right after they are solved. Solving again restarts the delay. The
 * web chat asks on its page instead.
 */
function ratingRequest(
  { id, isTest, removal, record }: LockedConversation,
  { columns }: Change,
): Prisma.Sql[] {
  if (columns.status !== 'solved' || record.channel === 'webchat' || isTest || removal !== null) return [];
  const options = { inSeconds: settings().RATING_REQUEST_DELAY, key: `ask-for-rating:${id}` };
  return [jobRow('ask-for-rating', { conversationId: id }, options)];
}

function eventsWith(conversation: ConversationRecord, events: ConversationEvent[]): NewEvent[] {
  // Key and payload of each event match, but the compiler cannot see that through the union.
  return events.map(({ details, ...rest }) => {
    // A deleted conversation is not shown to programs any more.
    const payload = rest.key === 'conversation.deleted' ? details : { conversation, ...details };
    return { ...rest, payload } as NewEvent;
  });
}
