import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { plannedOnce } from '#server/core/database/sql.ts';
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
import { plannedFor } from '#server/inbox/lists/search-query.ts';
import type { InboxCounts, ShownCount, SidebarView, ViewCounts } from '#server/screens/inbox/views.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** Newest conversations per status to scan: first, and at most. */
const FIRST_SCAN = 250;
const LONG_SCAN = 3_000;
/** Lower, because a search reads the contact and the messages of each conversation. */
const LONG_SCAN_SEARCHING = 1_000;
/** Newest open conversations among which the sidebar counts unread ones. */
const UNREAD_SCAN = 1_000;
/** Newest conversations among which those of a limited view are counted, and of a team in the sidebar. */
const LIMITED_SCAN = 250;
const LIMITED_TEAM_SCAN = 50;
/** Teams in the sidebar, and the upper bound on counting each of them. */
const TEAMS_SHOWN = 20;
const TEAM_COUNTED_MAX = 99;
/** With this many matches in the first scan, the filter is common, and an index lookup would be expensive. */
const COMMON = 50;

type Row = { status: ConversationStatus; found: number; more: boolean };

/**
 * Counts the conversations of a filter per status, ignoring the status of the filter. Exact up to 999; above
 * that `more` is true. The cost does not grow with the workspace. A filter that one index answers is batched
 * with other reads; for a limited view it is counted among the first 250 of each status. A filter that is neither rare nor common
 * is counted among the newest thousands of a status. `more` then says that the count may be incomplete.
 */
export async function countInbox(db: ReadDb, query: InboxFilter): Promise<InboxCounts> {
  const filter = { ...query, status: undefined };
  if (filter.search !== undefined && searchWords(filter.search) === null) return counts([]);
  const section = sectionToCount(filter);
  if (isLimitedScan(filter, section)) {
    return runRead(db, plannedOnce(countAmongFirst(filter, section)), counts);
  }
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
 * of the teammate first, are counted up to 99. A limited view counts among the newest 250, and among 50 of a team that is not the
 * teammate's own. One round trip.
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
      ${countUnread({ ...open, unreadBy: userId })},
      ${teamCounts(reader)} as teams`;
  return runRead(db, statement, ([row]: CountedViews[]) => {
    const found = (view: SidebarView) => shownCount(row?.[view]);
    return {
      mine: found('mine'),
      unassigned: found('unassigned'),
      unread: found('unread'),
      all: found('all'),
      failed: found('failed'),
      scheduled: found('scheduled'),
      snoozed: found('snoozed'),
      teams: (row?.teams ?? []).map(({ id, name, open }) => ({
        id,
        name,
        open: shownCount(open, TEAM_COUNTED_MAX),
      })),
    };
  });
}

/** A count up to the maximum, or one among the first conversations: `more` says that there are others. */
type Counted = number | { found: number; more: boolean };
type CountedViews = Record<SidebarView, Counted> & { teams: { id: string; name: string; open: Counted }[] };

function shownCount(counted: Counted = 0, max = COUNTED_MAX): ShownCount {
  return typeof counted === 'number' ? shown(counted, false, max) : shown(counted.found, counted.more, max);
}

/** Returns SQL for the count of a view. A limited view is counted among its first conversations unless an index has it. */
function countOf(view: SidebarView, filter: InboxFilter): Prisma.Sql {
  const counted = isLimitedScan(filter, NEWEST)
    ? asJson(amongFirst(filter, LIMITED_SCAN))
    : Prisma.sql`(${upToMax(filter)})`;
  return Prisma.sql`${counted} as ${Prisma.raw(view)}`;
}

function countUnread(filter: InboxFilter): Prisma.Sql {
  return Prisma.sql`${asJson(amongFirst(filter, limitOf(filter) ? LIMITED_SCAN : UNREAD_SCAN))} as unread`;
}

/** Returns SQL for the only row of a statement as one value. */
function asJson(statement: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(select row_to_json(n) from (${statement}) n)`;
}

/** Returns whether one index has the conversations of a filter, of which a limited view shows some. */
function isLimitedScan(filter: InboxFilter, section: Section): boolean {
  return limitOf(filter) !== null && isScanOnly({ ...filter, visibility: null }, section);
}

/**
 * Returns SQL for the counts of the teams. The order within a team makes the planner read its index only up to the limit. A limited view
 * counts a team that is not the teammate's own among its newest conversations.
 */
function teamCounts({
  workspaceId,
  userId,
  visibility,
}: {
  workspaceId: string;
  userId: string;
  visibility?: Visibility | null;
}): Prisma.Sql {
  const open = (columns: Prisma.Sql, rows: number) => Prisma.sql`select ${columns} from conversations c
    where c.workspace_id = ${workspaceId}::uuid and c.team_id = t.id and c.status = ${'open'}::conversation_status
      and c.merged_into_id is null and not c.is_test and c.removal is null
    order by c.last_message_at desc, c.id desc limit ${Prisma.raw(`${rows}`)}`;
  const all = Prisma.sql`(select count(*)::int from (${open(Prisma.sql`1`, TEAM_COUNTED_MAX + 1)}) n)`;
  const isOwn = Prisma.sql`exists (select from team_members m where m.team_id = t.id and m.user_id = ${userId}::uuid)`;
  const limited = () =>
    asJson(Prisma.sql`select count(*) filter (where ${isVisible(visibility, 'c')})::int as found,
      count(*) >= ${LIMITED_TEAM_SCAN}::int as more from (${plannedOnce(open(SEEN_COLUMNS, LIMITED_TEAM_SCAN))}) c`);
  const counted = visibility
    ? Prisma.sql`case when t.is_own then to_json(${all}) else ${limited()} end`
    : all;
  return Prisma.sql`(
    select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'open', ${counted}) order by t.is_own desc, t.name), '[]')
    from (
      select t.id, t.name, ${isOwn} as is_own from teams t
      where t.workspace_id = ${workspaceId}::uuid and t.deleted_at is null
      order by is_own desc, t.name limit ${TEAMS_SHOWN}::int) t)`;
}

/** The columns that `isVisible` reads. */
const SEEN_COLUMNS = Prisma.sql`c.assignee_id, c.team_id, c.mailbox_id, c.channel_account_id, c.channel`;

function upToMax(filter: InboxFilter, section = NEWEST): Prisma.Sql {
  return Prisma.sql`select count(*)::int from (${scan(filter, { section, rows: COUNTED_MAX + 1, isFixed: true })}) w`;
}

function countByScan(filter: InboxFilter, section: Section): Prisma.Sql {
  return eachStatus(filter, (one) => Prisma.sql`select (${upToMax(one, section)}) as found, false as more`);
}

function eachStatus(filter: InboxFilter, counted: (one: InboxFilter) => Prisma.Sql): Prisma.Sql {
  const branches = statusesOf(filter).map(
    (status) => Prisma.sql`select ${status}::text as status, n.* from (${counted({ ...filter, status })}) n`,
  );
  return Prisma.join(branches, ' union all ');
}

/** Counts among the newest `window` conversations of each status. */
function countAmongNewest(filter: InboxFilter, window: number): Promise<Row[]> {
  return plannedFor(filter).$queryRaw<Row[]>(eachStatus(filter, (one) => amongNewest(one, window)));
}

/**
 * Returns SQL for the counts of a limited view. One scan for all statuses, because planning one for each takes about as long as the
 * scans of a teammate with teams.
 */
function countAmongFirst(filter: InboxFilter, section: Section): Prisma.Sql {
  const counted = amongFirst(filter, LIMITED_SCAN, { section, status: Prisma.sql`s.status` });
  return Prisma.sql`select s.status::text as status, n.*
    from unnest(${statusesOf(filter)}::conversation_status[]) s (status) cross join lateral (${counted}) n`;
}

/**
 * Returns SQL for the matches among the first `rows` conversations of a section, and whether there may be others. One scan.
 * @param of.status SQL of the only status
 */
function amongFirst(
  filter: InboxFilter,
  rows: number,
  { section = NEWEST, status }: { section?: Section; status?: Prisma.Sql } = {},
): Prisma.Sql {
  const { joins, where } = narrowed(filter, { section });
  return Prisma.sql`select count(*) filter (where ${where})::int as found, count(*) >= ${rows}::int as more
    from (${scan(filter, { section, rows, status, isFixed: true })}) w ${joins}`;
}

/** Returns SQL for two columns: the matches among the newest `window` conversations, and whether there are older ones. */
function amongNewest(filter: InboxFilter, window: number): Prisma.Sql {
  const { joins, where } = narrowed(filter);
  return Prisma.sql`select
    (select count(*)::int from (
      select 1 from (${scan(filter, { rows: window })}) w ${joins} where ${where} limit ${COUNTED_MAX + 1}::int) n)
      as found,
    exists (${scan(filter, { rows: 1, skip: window })}) as more`;
}

/** Counts by another index; null when there are too many. */
async function countByIndex(filter: InboxFilter): Promise<Row[] | null> {
  const rows = await plannedFor(filter).$queryRaw<
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
