import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

export type ClockChange =
  | 'start'
  | 'pause'
  | 'stop'
  | 'resume'
  | 'first_response_given'
  | 'resume_first_response'
  | 'undo_solving';

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
 * - `undo_solving`, on Undo: resumes the first response clock if the last change of the status stopped it, on the same
 *   condition. The statement must not have changed the status before.
 *
 * A clock that is overdue when paused or stopped is marked as breached: `breachClocks` skips such clocks.
 */
export async function changeClocks(
  db: SqlDb,
  { conversationId, clock, now }: { conversationId: string; clock: ClockChange; now: Date },
): Promise<void> {
  await db.$executeRaw(clockStatement(clock, { conversationId, now }));
}

/** Returns the statement of `changeClocks`, as a part of a larger one. */
export function clockStatement(
  clock: ClockChange,
  { conversationId, now }: { conversationId: string; now: Date },
): Prisma.Sql {
  return STATEMENTS[clock](conversationId, now);
}

/** Condition on `sla_clocks`: no reply of a teammate, workflow or program was sent since the clock started. */
const NO_REPLY_SENT = Prisma.sql`not exists (
  select from messages m
  where m.conversation_id = sla_clocks.conversation_id and m.created_at >= sla_clocks.started_at
    and m.direction = 'outbound' and m.author_kind in ('teammate', 'workflow', 'program')
    and (m.send_status = 'sent' or m.send_status is null))`;

const STATEMENTS: Record<ClockChange, (conversationId: string, now: Date) => Prisma.Sql> = {
  start: (conversationId, now) => Prisma.sql`
    insert into sla_clocks (id, workspace_id, conversation_id, kind, started_at, due_at)
    select gen_random_uuid(), c.workspace_id, c.id, due.kind, ${now}::timestamptz, ${now}::timestamptz + make_interval(mins => due.minutes)
    from conversations c
    join workspaces w on w.id = c.workspace_id
    cross join lateral (values
      ('first_response'::sla_kind, w.sla_first_response_minutes), ('resolution', w.sla_resolution_minutes)
    ) as due (kind, minutes)
    where c.id = ${conversationId}::uuid and due.minutes is not null`,
  pause: (conversationId, now) => Prisma.sql`
    update sla_clocks set paused_at = ${pausedSince(now)}, stopped_at = null, breached_at = ${breachedAt(now)}
    where ${newestResolution(conversationId)}`,
  resume: (conversationId, now) => Prisma.sql`
    update sla_clocks
    set due_at = due_at + (${now}::timestamptz - ${pausedSince(now)}), paused_at = null, stopped_at = null
    where ${newestResolution(conversationId)}`,
  stop: (conversationId, now) => Prisma.sql`
    update sla_clocks set ${stopped(now)}
    where conversation_id = ${conversationId}::uuid and stopped_at is null`,
  first_response_given: (conversationId, now) => Prisma.sql`
    update sla_clocks set ${stopped(now)}
    where conversation_id = ${conversationId}::uuid and kind = 'first_response' and stopped_at is null`,
  // Spam can be deleted before it is restored: the clock stopped at the first removal since it was last restored.
  resume_first_response: (conversationId, now) => Prisma.sql`
    update sla_clocks set due_at = due_at + (${now}::timestamptz - stopped_at), stopped_at = null
    where conversation_id = ${conversationId}::uuid and kind = 'first_response' and stopped_at >= (
      select min(t.created_at) from timeline_entries t
      where t.conversation_id = ${conversationId}::uuid and t.kind in ('marked_spam', 'deleted', 'merged')
        and t.created_at > coalesce((
          select max(r.created_at) from timeline_entries r
          where r.conversation_id = ${conversationId}::uuid and r.kind in ('restored', 'merge_undone')), '-infinity'))
      and ${NO_REPLY_SENT}`,
  undo_solving: (conversationId, now) => Prisma.sql`
    update sla_clocks set due_at = due_at + (${now}::timestamptz - stopped_at), stopped_at = null
    where conversation_id = ${conversationId}::uuid and kind = 'first_response'
      and stopped_at = (select status_changed_at from conversations where id = ${conversationId}::uuid)
      and ${NO_REPLY_SENT}`,
};

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
