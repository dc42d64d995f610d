import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { sql } from '#server/core/database/sql.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { isVisible } from '#server/inbox/conversations/visible-conversations.ts';
import { type InboxFilter, limitOf, statusesOf } from '#server/inbox/lists/inbox-filter.ts';
import { NEWEST, type Section, sectionToCount } from '#server/inbox/lists/inbox-order.ts';
import {
  canBeRare,
  fromGathered,
  gathered,
  isScanOnly,
  narrowed,
  scan,
} from '#server/inbox/lists/inbox-sql.ts';
import type { InboxCounts, SidebarView, ViewCounts } from '#server/screens/inbox/views.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** Newest conversations per status to scan: first, and at most. */
const FIRST_SCAN = 250;
const LONG_SCAN = 3_000;
/** Lower, because a search reads the contact and the messages of each conversation. */
const LONG_SCAN_SEARCHING = 1_000;
/** Newest open conversations among which the sidebar counts unread ones. */
const UNREAD_SCAN = 1_000;
/** Newest conversations of a view or team among which the sidebar counts those of a limited view. */
const LIMITED_SCAN = 250;
/** Teams in the sidebar, and the upper bound on counting each of them. */
const TEAMS_SHOWN = 20;
const TEAM_COUNTED_MAX = 99;
/** With this many matches in the first scan, the filter is common, and an index lookup would be expensive. */
const COMMON = 50;

type Row = { status: ConversationStatus; found: number; more: boolean };

/**
 * Counts the conversations of a filter per status, ignoring the status of the filter. Exact up to 999; above
 * that `more` is true. The cost does not grow with the workspace. A filter that one index answers is batched
 * with other reads. A filter that is neither rare nor common is counted among the newest thousands of a
 * status, and `more` says that the count may be incomplete.
 */
export async function countInbox(db: ReadDb, query: InboxFilter): Promise<InboxCounts> {
  const filter = { ...query, status: undefined };
  if (filter.search !== undefined && searchWords(filter.search) === null) return counts([]);
  const section = sectionToCount(filter);
  if (isScanOnly(filter, section)) return runRead(db, countByScan(filter, section), counts);
  if (!canBeRare(filter)) return counts(await countAmongNewest(filter, LONG_SCAN));
  const first = await countAmongNewest(filter, FIRST_SCAN);
  if (first.every(({ more }) => !more)) return counts(first);
  const matches = first.reduce((sum, { found }) => sum + found, 0);
  const exact = matches >= COMMON ? null : await countByIndex(filter);
  return counts(
    exact ?? (await countAmongNewest(filter, filter.search === undefined ? LONG_SCAN : LONG_SCAN_SEARCHING)),
  );
}

/**
 * Counts the open conversations of each sidebar view, those with a failed or a scheduled reply in any status, and the
 * snoozed ones, up to 999. Unread ones are counted among the newest 1,000, and `more` says that there are older ones. Up to 20 teams, those
 * of the teammate first, are counted up to 99. One round trip.
 */
export function countViews(
  db: ReadDb,
  reader: { workspaceId: string; userId: string; visibility?: Visibility | null },
): Promise<Omit<ViewCounts, 'saved'>> {
  const { workspaceId, userId, visibility } = reader;
  const all = { workspaceId, ...(visibility ? { visibility } : {}) };
  const open = { ...all, status: 'open' as const };
  const statement = Prisma.sql`
    select ${countOf('mine', { ...open, assigneeId: userId })}, ${countOf('unassigned', { ...open, assigneeId: null })},
      ${countOf('all', open)}, ${countOf('failed', { ...all, hasFailedReply: true })},
      ${countOf('scheduled', { ...all, isScheduled: true })},
      ${countOf('snoozed', { ...all, status: 'pending', isSnoozed: true })},
      ${amongNewest({ ...open, unreadBy: userId }, visibility ? LIMITED_SCAN : UNREAD_SCAN, 'unread', 'unread_more')},
      ${teamCounts(reader)} as teams`;
  return runRead(db, statement, ([row]: CountedViews[]) => {
    const found = (view: SidebarView) => shown(row?.[view], row?.[`${view}_more`]);
    return {
      mine: found('mine'),
      unassigned: found('unassigned'),
      unread: found('unread'),
      all: found('all'),
      failed: found('failed'),
      scheduled: found('scheduled'),
      snoozed: found('snoozed'),
      teams: (row?.teams ?? []).map(({ id, name, found: open }) => ({
        id,
        name,
        open: shown(open, false, TEAM_COUNTED_MAX),
      })),
    };
  });
}

type CountedViews = Record<SidebarView, number> &
  Partial<Record<`${SidebarView}_more`, boolean>> & { teams: { id: string; name: string; found: number }[] };

/** Returns SQL for the count of a view. A limited view is counted among the newest conversations unless an index has it. */
function countOf(view: SidebarView, filter: InboxFilter): Prisma.Sql {
  if (limitOf(filter) && !isScanOnly(filter)) return amongNewest(filter, LIMITED_SCAN, view, `${view}_more`);
  return Prisma.sql`(${upToMax(filter)}) as ${Prisma.raw(view)}`;
}

/** The order within a team makes the planner read its index only up to the limit. */
function teamCounts({
  workspaceId,
  userId,
  visibility,
}: {
  workspaceId: string;
  userId: string;
  visibility?: Visibility | null;
}): Prisma.Sql {
  // A limited view is counted among the newest ones of each team.
  const open = visibility
    ? Prisma.sql`(select * from conversations newest where newest.workspace_id = ${workspaceId}::uuid
          and newest.team_id = t.id and newest.status = 'open' and newest.merged_into_id is null and not newest.is_test
          and newest.removal is null
        order by newest.last_message_at desc, newest.id desc limit ${LIMITED_SCAN}::int) c`
    : Prisma.sql`conversations c`;
  const isOwn = Prisma.sql`exists (select from team_members m where m.team_id = t.id and m.user_id = ${userId}::uuid)`;
  return Prisma.sql`(
    select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'found', (
      select count(*)::int from (
        select from ${open}
        where c.workspace_id = ${workspaceId}::uuid and c.team_id = t.id and c.status = 'open'
          and c.merged_into_id is null and not c.is_test and c.removal is null and ${isVisible(visibility, 'c')}
        order by c.last_message_at desc, c.id desc limit ${TEAM_COUNTED_MAX + 1}::int) n)) order by t.is_own desc, t.name), '[]')
    from (
      select t.id, t.name, ${isOwn} as is_own from teams t
      where t.workspace_id = ${workspaceId}::uuid and t.deleted_at is null
      order by is_own desc, t.name limit ${TEAMS_SHOWN}::int) t)`;
}

function upToMax(filter: InboxFilter, section = NEWEST): Prisma.Sql {
  return Prisma.sql`select count(*)::int from (${scan(filter, { section, rows: COUNTED_MAX + 1 })}) w`;
}

function countByScan(filter: InboxFilter, section: Section): Prisma.Sql {
  return eachStatus(filter, (one) => Prisma.sql`(${upToMax(one, section)}) as found, false as more`);
}

function eachStatus(filter: InboxFilter, columns: (one: InboxFilter) => Prisma.Sql): Prisma.Sql {
  const branches = statusesOf(filter).map(
    (status) => Prisma.sql`select ${status}::text as status, ${columns({ ...filter, status })}`,
  );
  return Prisma.join(branches, ' union all ');
}

/** Counts among the newest `window` conversations of each status. */
function countAmongNewest(filter: InboxFilter, window: number): Promise<Row[]> {
  return sql().$queryRaw<Row[]>(eachStatus(filter, (one) => amongNewest(one, window, 'found', 'more')));
}

/** Returns SQL for two columns: the matches among the newest `window` conversations, and whether there are older ones. */
function amongNewest(filter: InboxFilter, window: number, found: string, more: string): Prisma.Sql {
  const { joins, where } = narrowed(filter);
  return Prisma.sql`
    (select count(*)::int from (
      select 1 from (${scan(filter, { rows: window })}) w ${joins} where ${where} limit ${COUNTED_MAX + 1}::int) n)
      as ${Prisma.raw(`"${found}"`)},
    exists (${scan(filter, { rows: 1, skip: window })}) as ${Prisma.raw(`"${more}"`)}`;
}

/** Counts by another index; null when there are too many. */
async function countByIndex(filter: InboxFilter): Promise<Row[] | null> {
  const rows = await sql().$queryRaw<
    { complete: boolean; status: ConversationStatus | null; found: number | null }[]
  >(
    Prisma.sql`${gathered(filter)}
      select lookup.complete, s.status, s.found from lookup left join (
        select c.status::text as status, count(*)::int as found ${fromGathered(filter)} group by c.status
      ) s on lookup.complete`,
  );
  if (!rows[0]?.complete) return null;
  return rows.flatMap(({ status, found }) => (status && found ? [{ status, found, more: false }] : []));
}

function counts(rows: Row[]): InboxCounts {
  const all: InboxCounts = { open: shown(0), pending: shown(0), solved: shown(0), closed: shown(0) };
  for (const { status, found, more } of rows) all[status] = shown(found, more);
  return all;
}
