import { eventParts, type NewEvent, RECORDED } from '#server/contract/record-events.ts';
import { afterCommit } from '#server/core/database/db.ts';
import type { RawDb } from '#server/core/database/prepared.ts';
import { statementOf } from '#server/core/database/statement-parts.ts';
import { settings } from '#server/core/env.ts';
import { jobRow, startMovingJobs } from '#server/core/jobs/outbox.ts';
import { wakeWorkers } from '#server/core/jobs/wake-workers.ts';
import { publish, publishConversation } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { Change } from '#server/inbox/conversations/changes.ts';
import { changeClocks, clockStatement } from '#server/inbox/conversations/sla-clocks.ts';
import { timelineRows } from '#server/inbox/conversations/timeline.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { notificationRows } from '#server/teammates/add-notifications.ts';

type Columns = Change['columns'];
type Written = { id: string; workspaceId: string; channel: Channel; isTest: boolean };

/** The columns that a change may set, with their types. */
const COLUMNS = {
  status: 'status = $::conversation_status',
  statusChangedAt: 'status_changed_at = $::timestamptz',
  resolvedAt: 'resolved_at = $::timestamptz',
  priority: 'priority = $::priority',
  assigneeId: 'assignee_id = $::uuid',
  assignedAt: 'assigned_at = $::timestamptz',
  teamId: 'team_id = $::uuid',
  aiAgentSilenced: 'ai_agent_silenced = $::boolean',
  lastMessageAt: 'last_message_at = $::timestamptz',
  mergedIntoId: 'merged_into_id = $::uuid',
  contactId: 'contact_id = $::uuid',
  contactClaimed: 'contact_claimed = $::boolean',
} as const satisfies Record<keyof Columns, string>;

/** For every part of the statement: nothing is written when the conversation's row was not. */
const WHEN_CHANGED = Prisma.sql`exists (select from changed)`;

/**
 * Writes a change in one round trip: the conversation's columns with `updated_at`, its timeline, time limits, notifications,
 * the change's own rows and, where they are given, events. Open pages are notified after the commit.
 * @param given.version nothing is written unless the row still is the one that was seen (`SeenConversation`)
 * @returns whether it was written
 */
export async function writeChangeRows(
  db: RawDb,
  conversation: Written,
  given: { actor: Actor; change: Change; now: Date; version?: string; events?: NewEvent[] },
): Promise<boolean> {
  const { id: conversationId, workspaceId, channel, isTest } = conversation;
  const { actor, change, now, version, events = [] } = given;
  const at = { workspaceId, conversationId, actor, now };
  const own = (change.rows ?? []).map((rows, n) => [`own${n}`, rows(WHEN_CHANGED)] as const);
  // A second change of the clocks may be of the same row, which one statement writes once.
  const [clock, ...clocks] = change.clocks;
  const notified = notificationRows({ ...at, notifications: change.notifications }, WHEN_CHANGED);
  // The web chat shows its rating request on the page.
  const asksForRating = change.columns.status === 'solved' && channel !== 'webchat' && !isTest;
  const parts = {
    changed: columnsStatement(conversationId, { columns: change.columns, now, version }),
    ...Object.fromEntries(own),
    timeline: timelineRows({ ...at, entries: change.entries }, WHEN_CHANGED),
    notified,
    clock: clock ? clockStatement(clock, { conversationId, now }, WHEN_CHANGED) : null,
    job: asksForRating ? ratingRequestRow(conversationId, WHEN_CHANGED) : null,
    ...(events.length > 0 ? eventParts({ workspaceId, events, now }, WHEN_CHANGED) : {}),
  };
  const recorded = events.length > 0 ? RECORDED : Prisma.sql`0`;
  const [row] = await db.$queryRaw<{ written: boolean; recorded: number }[]>(
    statementOf(parts, Prisma.sql`select ${WHEN_CHANGED} as written, ${recorded} as recorded`),
  );
  if (!row?.written) return false;
  for (const another of clocks) await changeClocks(db, { conversationId, clock: another, now });
  afterCommit(db, () => {
    publish(workspaceId, 'conversations');
    // Its contact has it open in a browser.
    if (channel === 'webchat') publishConversation(conversationId);
    if (notified) publish(workspaceId, 'notifications');
  });
  if (asksForRating) afterCommit(db, startMovingJobs);
  if (row.recorded > 0) afterCommit(db, wakeWorkers);
  return true;
}

function columnsStatement(
  conversationId: string,
  { columns, now, version }: { columns: Columns; now: Date; version: string | undefined },
): Prisma.Sql {
  const set = Object.entries(columns).map(([key, value]) => {
    const [before = '', after = ''] = COLUMNS[key as keyof Columns].split('$');
    return Prisma.sql`${Prisma.raw(before)}${value}${Prisma.raw(after)}, `;
  });
  return Prisma.sql`
    update conversations set ${set.length === 0 ? Prisma.empty : Prisma.join(set, '')}updated_at = ${now}::timestamptz
    where id = ${conversationId}::uuid
      ${version === undefined ? Prisma.empty : Prisma.sql`and xmin::text = ${version}`}
    returning id`;
}

/**
 * Returns the job row that requests a rating. It is written with the status `solved` and is due after
 * `RATING_REQUEST_DELAY` seconds, because a conversation is often reopened right after it was solved.
 * @param when condition under which the row is inserted
 */
function ratingRequestRow(conversationId: string, when: Prisma.Sql): Prisma.Sql {
  // One key per conversation: solving it again restarts the delay.
  const options = { inSeconds: settings().RATING_REQUEST_DELAY, key: `ask-for-rating:${conversationId}` };
  return jobRow('ask-for-rating', { conversationId }, options, when);
}
