import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { SlaKind } from '#server/generated/prisma/enums.ts';

export type ClockChange =
  | 'start'
  | 'pause'
  | 'stop'
  | 'resume'
  | 'first_response_given'
  | 'resume_first_response'
  | 'resume_unanswered'
  | 'undo_solving';

/** `teamId`: team after the change, by whose business hours clocks count. Undefined: the current one of the conversation. */
type At = { conversationId: string; now: Date; teamId?: string | null | undefined };

/** Selects the newest resolution clock, which `pending` pauses and `solved` stops. */
function newestResolution(conversationId: string): Prisma.Sql {
  return Prisma.sql`id = (
    select id from sla_clocks where conversation_id = ${conversationId}::uuid and kind = 'resolution'
    order by started_at desc, id desc limit 1)`;
}

/**
 * Changes the SLA clocks of a conversation. One round trip.
 * - `start`, when a contact starts a conversation: starts the clocks for which the workspace has targets.
 * - `pause`, on `pending`: pauses the resolution clock.
 * - `stop`, on `solved` and `closed`: stops every clock.
 * - `resume`, on `open`: resumes the resolution clock, due later by the time that it was paused or stopped.
 * - `first_response_given`, when a teammate's reply was sent: stops the first response clock.
 * - `resume_first_response`, on restoring and on undoing a merge: resumes the first response clock if removing or merging
 *   the conversation stopped it, unless a reply of a teammate or workflow was sent since the clock started.
 * - `resume_unanswered`, when a reply that was sent comes back: resumes the first response clock that replies stopped, unless one of
 *   them reached anybody.
 * - `undo_solving`, on Undo: resumes the first response clock if the last change of the status stopped it, on the same
 *   condition. The statement must not have changed the status before.
 *
 * Clocks count business time only: the hours of the team, else those of the workspace, else all time (`open_spans`).
 * A clock that is overdue when paused or stopped is marked as breached: `breachClocks` skips such clocks.
 */
export async function changeClocks(db: SqlDb, { clock, ...at }: At & { clock: ClockChange }): Promise<void> {
  await db.$executeRaw(clockStatement(clock, at));
}

/** Returns the statement of `changeClocks`, as a part of a larger one. */
export function clockStatement(clock: ClockChange, at: At): Prisma.Sql {
  return STATEMENTS[clock](at);
}

/** Returns the business hours of a conversation as an expression. */
function hoursOf({ conversationId, teamId }: At): Prisma.Sql {
  return Prisma.sql`(
    select coalesce(t.business_hours, w.business_hours)
    from conversations c
    join workspaces w on w.id = c.workspace_id
    left join teams t on t.id = ${teamId === undefined ? Prisma.sql`c.team_id` : Prisma.sql`${teamId}::uuid`} and t.deleted_at is null
    where c.id = ${conversationId}::uuid)`;
}

// Columns of clocks that releases without business hours wrote.
const COUNTED_FROM = Prisma.sql`coalesce(counted_from, started_at)`;
const REMAINING_MS = Prisma.sql`coalesce(remaining_ms, open_ms(null, started_at, due_at))`;

/** Columns and due time of a running clock whose hours change, as SQL. Clocks without the columns get them, because their due time no longer tells. */
export function countedClock(hours: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${COUNTED_FROM} as counted_from, ${REMAINING_MS} as remaining_ms,
    after_open_ms(${hours}, ${COUNTED_FROM}, ${REMAINING_MS}) as due_at`;
}

/** Resumes the clocks of a condition: from now on, they count what remained when they were paused or stopped. */
function resumed(at: At, condition: Prisma.Sql): Prisma.Sql {
  const { now } = at;
  return Prisma.sql`
    update sla_clocks s set counted_from = ${now}::timestamptz, remaining_ms = r.remaining,
      due_at = after_open_ms(r.hours, ${now}::timestamptz, r.remaining), paused_at = null, stopped_at = null
    from (
      select id, hours, ${REMAINING_MS} - open_ms(hours, ${COUNTED_FROM}, ${pausedSince(now)}) as remaining
      from sla_clocks, ${hoursOf(at)} as of_conversation (hours)
      where ${condition}
    ) as r
    where s.id = r.id`;
}

/** Condition on `sla_clocks`: it is counting, and was not missed. */
export const IS_RUNNING = Prisma.sql`stopped_at is null and paused_at is null and breached_at is null`;

/** Condition on `sla_clocks`: no reply of a teammate, workflow or program was sent since the clock started. */
const NO_REPLY_SENT = Prisma.sql`not exists (
  select from messages m
  where m.conversation_id = sla_clocks.conversation_id and m.created_at >= sla_clocks.started_at
    and m.direction = 'outbound' and m.author_kind in ('teammate', 'workflow', 'program')
    and (m.send_status = 'sent' or m.send_status is null))`;

const STATEMENTS: Record<ClockChange, (at: At) => Prisma.Sql> = {
  start: (at) => Prisma.sql`
    insert into sla_clocks (id, workspace_id, conversation_id, kind, started_at, counted_from, remaining_ms, due_at)
    select gen_random_uuid(), c.workspace_id, c.id, due.kind, ${at.now}::timestamptz, ${at.now}::timestamptz, due.minutes * 60000::bigint,
      after_open_ms(${hoursOf(at)}, ${at.now}::timestamptz, due.minutes * 60000::bigint)
    from conversations c
    join workspaces w on w.id = c.workspace_id
    cross join lateral (values
      ('first_response'::sla_kind, w.sla_first_response_minutes), ('resolution', w.sla_resolution_minutes)
    ) as due (kind, minutes)
    where c.id = ${at.conversationId}::uuid and due.minutes is not null`,
  pause: ({ conversationId, now }) => Prisma.sql`
    update sla_clocks set paused_at = ${pausedSince(now)}, stopped_at = null, breached_at = ${breachedAt(now)}
    where ${newestResolution(conversationId)}`,
  resume: (at) => resumed(at, newestResolution(at.conversationId)),
  stop: ({ conversationId, now }) => Prisma.sql`
    update sla_clocks set ${stopped(now)}
    where conversation_id = ${conversationId}::uuid and stopped_at is null`,
  first_response_given: ({ conversationId, now }) => Prisma.sql`
    update sla_clocks set ${stopped(now)}
    where conversation_id = ${conversationId}::uuid and kind = 'first_response' and stopped_at is null`,
  // Spam can be deleted before it is restored: the clock stopped at the first removal since it was last restored.
  resume_first_response: (at) =>
    resumed(
      at,
      Prisma.sql`conversation_id = ${at.conversationId}::uuid and kind = 'first_response' and stopped_at >= (
        select min(t.created_at) from timeline_entries t
        where t.conversation_id = ${at.conversationId}::uuid and t.kind in ('marked_spam', 'deleted', 'merged')
          and t.created_at > coalesce((
            select max(r.created_at) from timeline_entries r
            where r.conversation_id = ${at.conversationId}::uuid and r.kind in ('restored', 'merge_undone')), '-infinity'))
        and ${NO_REPLY_SENT}`,
    ),
  resume_unanswered: (at) =>
    resumed(
      at,
      Prisma.sql`conversation_id = ${at.conversationId}::uuid and kind = 'first_response' and stopped_at is not null
        and ${NO_REPLY_SENT} and not exists (
          select from messages m
          where m.conversation_id = ${at.conversationId}::uuid and m.direction = 'outbound' and m.undelivered_to <> '{}')
        and not exists (
          select from timeline_entries t
          where t.conversation_id = ${at.conversationId}::uuid and t.kind in ('status_changed', 'marked_spam', 'deleted', 'merged')
            and t.created_at = sla_clocks.stopped_at)`,
    ),
  undo_solving: (at) =>
    resumed(
      at,
      Prisma.sql`conversation_id = ${at.conversationId}::uuid and kind = 'first_response'
        and stopped_at = (select status_changed_at from conversations where id = ${at.conversationId}::uuid)
        and ${NO_REPLY_SENT}`,
    ),
};

/** The clock that each change may write. */
const WRITTEN: Record<ClockChange, SlaKind[]> = {
  start: [],
  pause: ['resolution'],
  resume: ['resolution'],
  stop: ['first_response', 'resolution'],
  first_response_given: ['first_response'],
  resume_first_response: ['first_response'],
  resume_unanswered: ['first_response'],
  undo_solving: ['first_response'],
};

/**
 * Returns the statements of the clock changes of a conversation. On a change of the team, adds one that counts running clocks by its
 * business hours, except those that another statement writes: one statement cannot update a row twice. For the same reason, `stop`
 * replaces all others.
 */
export function clockStatements(clocks: readonly ClockChange[], at: At): Prisma.Sql[] {
  const changes = clocks.includes('stop') ? (['stop'] as const) : clocks;
  const statements = changes.map((clock) => clockStatement(clock, at));
  const written = changes.flatMap((clock) => WRITTEN[clock]);
  const others = Object.values(SlaKind).filter((kind) => !written.includes(kind));
  if (at.teamId === undefined || others.length === 0) return statements;
  return [
    ...statements,
    Prisma.sql`
      update sla_clocks k set counted_from = r.counted_from, remaining_ms = r.remaining_ms, due_at = r.due_at
      from (
        select id, ${countedClock(hoursOf(at))} from sla_clocks
        where conversation_id = ${at.conversationId}::uuid and kind = any (${others}::sla_kind[]) and ${IS_RUNNING}
      ) as r
      where k.id = r.id and k.due_at <> r.due_at`,
  ];
}

/** Stops a clock at the time when it was paused, or else now. */
function stopped(now: Date): Prisma.Sql {
  return Prisma.sql`stopped_at = ${pausedSince(now)}, paused_at = null, breached_at = ${breachedAt(now)}`;
}

/** The start of the current pause: the time when the clock was paused or stopped, or else now. */
function pausedSince(now: Date): Prisma.Sql {
  return Prisma.sql`coalesce(paused_at, stopped_at, ${now}::timestamptz)`;
}

/** The time of the breach: the due time, if the clock was still running then. */
function breachedAt(now: Date): Prisma.Sql {
  return Prisma.sql`coalesce(breached_at, case when due_at < ${pausedSince(now)} then due_at end)`;
}
