import { type EventCursor, NO_ID } from '#server/automation/event-log/event-cursor.ts';
import type { RecordedEvent } from '#server/contract/logged-event.ts';
import { sql } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { invalid } from '#server/core/errors.ts';

type LoggedEvent = RecordedEvent & { id: string };

export type EventPage = {
  /** In the order in which they were recorded: a later page never has an earlier event. */
  events: LoggedEvent[];
  /** True if there are more events now. */
  hasMore: boolean;
  /** Cursor of the next page. Valid for `HISTORY_DAYS`, so a client that asks regularly never loses its place. */
  next: EventCursor;
};

type Row = Omit<LoggedEvent, 'id' | 'body'> & {
  /** Null in the only row of an empty page. */
  id: string | null;
  /** Null, too, if the conversation is spam, deleted or purged. */
  body: string | null;
  position: string;
  recordedAt: number;
  /** Position of the oldest open transaction. */
  horizon: string;
  now: number;
};

/**
 * Reads a page of the events of a workspace, in one statement over one index. Events of spam and deleted conversations are
 * left out (docs/rulings.md 3.34), so a page may be shorter than `limit` and still have a next page. It ends before events of transactions that
 * started after one that is still open. The position is a subquery, so that PostgreSQL cannot compare it with statistics: those
 * are older than the newest events, so it would expect few and sort all of them. Lateral joins with a limit keep PostgreSQL from reading all conversations of the workspace.
 * @param after undefined: from the oldest event. `now`: an empty page whose `next` is the present
 * @throws Refusal when the cursor is so old that events after it were removed
 */
export async function readEvents(query: {
  workspaceId: string;
  after: EventCursor | 'now' | undefined;
  limit: number;
}): Promise<EventPage> {
  const { workspaceId, after, limit } = query;
  const from = after === undefined || after === 'now' ? OLDEST : after;
  const rows = await sql().$queryRaw<Row[]>`
    select e.id, e.log_position::text as position, e.actor, e.cause_id as "causeId",
      extract(epoch from e.created_at)::float8 as "recordedAt",
      case when e.conversation_id is null or c.removal is null and m.removal is null and c.id is not null
        then e.body end as body,
      h.position::text as horizon, extract(epoch from h.now)::float8 as now
    from (
      select log_position(pg_snapshot_xmin(pg_current_snapshot())::text) as position, clock_timestamp() as now
    ) h left join lateral (
      select * from events
      where workspace_id = ${workspaceId}::uuid
        and (log_position, id) > ((select ${from.position}::bigint), (select ${from.eventId}::uuid))
        and log_position < h.position
      order by log_position, id limit ${after === 'now' ? 0 : limit + 1}
    ) e on true
    left join lateral (
      select id, removal, merged_into_id from conversations
      where workspace_id = ${workspaceId}::uuid and id = e.conversation_id limit 1) c on true
    left join lateral (
      select removal from conversations
      where workspace_id = ${workspaceId}::uuid and id = c.merged_into_id limit 1) m on true
    order by e.log_position, e.id`;
  const [first] = rows;
  if (!first) throw new Error('The state of the event log was not found.');
  if (from !== OLDEST) refuseExpired(from, first.now);
  const hasMore = rows.length > limit;
  const page = rows.slice(0, limit);
  const events = page.flatMap(({ id, body, actor, causeId }) =>
    id === null || body === null ? [] : [{ id, body, actor, causeId }],
  );
  const last = hasMore ? page.at(-1) : undefined;
  return { events, hasMore, next: last ? cursorAfter(last) : present(first) };
}

/** Events of versions before the log have the position 0 and are not in it. */
const OLDEST: EventCursor = { position: '1', eventId: NO_ID, seconds: 0 };

/** Minimum time for which a cursor is valid, in seconds. Events are removed by whole days, so the oldest are older than the history. */
const VALID_MIN_SECONDS = 3_600;

function cursorAfter({ id, position, recordedAt, now }: Row): EventCursor {
  const seconds = Math.max(recordedAt, now - historySeconds() + VALID_MIN_SECONDS);
  return { position, eventId: id ?? NO_ID, seconds: Math.floor(seconds) };
}

function present({ horizon, now }: Row): EventCursor {
  return { position: horizon, eventId: NO_ID, seconds: Math.floor(now) };
}

function refuseExpired({ seconds }: EventCursor, now: number): void {
  if (now - seconds <= historySeconds()) return;
  throw invalid({
    after: [
      `This cursor is more than ${settings().HISTORY_DAYS} days old, and events after it were removed. Leave out "after" to start with the oldest event.`,
    ],
  });
}

function historySeconds(): number {
  return settings().HISTORY_DAYS * 24 * 60 * 60;
}
