import { ask, type ReadDb, read } from '#server/core/database/batch-reads.ts';
import { prepared } from '#server/core/database/sql.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import {
  fromGathered,
  gathered,
  type InboxFilter,
  isWalkedAlone,
  narrowed,
  statusesOf,
  statusValue,
  walk,
} from '#server/screens/inbox/inbox-sql.ts';
import type { InboxCounts, ViewCounts } from '#server/screens/inbox/views.ts';

/** How many of the newest conversations of a status are looked through first, and then at most. */
const FIRST_WALK = 250;
const LONG_WALK = 3_000;
/** A search reads the contact and the messages of each. */
const LONG_WALK_SEARCHING = 1_000;
/** Found among the first, so many say that what is counted is common: looking for it in an index would be dear. */
const COMMON = 50;

type Row = { status: ConversationStatus; found: number; more: boolean };

/**
 * How many conversations of a filter there are in each status, whatever status it names itself: exactly up to 999, and
 * beyond that only that there are more. Costs about the same however many there are. What one index counts is read together
 * with other reads. What is neither rare nor soon met
 * is counted among the newest thousands of a status, and `more` says that this may not be all.
 */
export async function countInbox(db: ReadDb, given: InboxFilter): Promise<InboxCounts> {
  const filter = { ...given, status: undefined };
  if (filter.search !== undefined && searchWords(filter.search) === null) return counts([]);
  if (isWalkedAlone(filter)) return ask(db, read(alone(filter), counts));
  if (filter.tag === undefined && filter.search === undefined) return counts(await walked(filter, LONG_WALK));
  const first = await walked(filter, FIRST_WALK);
  if (first.every(({ more }) => !more)) return counts(first);
  const met = first.reduce((sum, { found }) => sum + found, 0);
  const whole = met >= COMMON ? null : await counted(filter);
  return counts(
    whole ?? (await walked(filter, filter.search === undefined ? LONG_WALK : LONG_WALK_SEARCHING)),
  );
}

/** How many open conversations each view of the sidebar holds, up to 999. One round trip, from indexes alone. */
export function countViews(
  db: ReadDb,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<ViewCounts> {
  const open = { workspaceId, status: 'open' as const };
  const statement = Prisma.sql`
    select (${upToMax({ ...open, assigneeId: userId })}) as mine,
      (${upToMax({ ...open, assigneeId: null })}) as unassigned, (${upToMax(open)}) as all`;
  return ask(
    db,
    read(statement, ([row]: { mine: number; unassigned: number; all: number }[]) => ({
      mine: shown(row?.mine),
      unassigned: shown(row?.unassigned),
      all: shown(row?.all),
    })),
  );
}

function upToMax(filter: InboxFilter): Prisma.Sql {
  return Prisma.sql`select count(*)::int from (${walk(filter, { rows: COUNTED_MAX + 1 })}) w`;
}

function alone(filter: InboxFilter): Prisma.Sql {
  return eachStatus(filter, (one) => Prisma.sql`(${upToMax(one)}) as found, false as more`);
}

function eachStatus(filter: InboxFilter, columns: (one: InboxFilter) => Prisma.Sql): Prisma.Sql {
  const branches = statusesOf(filter).map(
    (status) => Prisma.sql`select ${statusValue(status)} as status, ${columns({ ...filter, status })}`,
  );
  return Prisma.join(branches, ' union all ');
}

/** Counted among the newest `window` conversations of each status. */
function walked(filter: InboxFilter, window: number): Promise<Row[]> {
  const { joins, where } = narrowed(filter);
  return prepared().$queryRaw<Row[]>(
    eachStatus(
      filter,
      (one) => Prisma.sql`
        (select count(*)::int from (
          select 1 from (${walk(one, { rows: window })}) w ${joins} where ${where} limit ${COUNTED_MAX + 1}::int) n) as found,
        exists (${walk(one, { rows: 1, skip: window })}) as more`,
    ),
  );
}

/** Counted by the index of the tag or the words; null when there are too many. */
async function counted(filter: InboxFilter): Promise<Row[] | null> {
  const rows = await prepared().$queryRaw<
    { whole: boolean; status: ConversationStatus | null; found: number | null }[]
  >(
    Prisma.sql`${gathered(filter)}
      select looked.whole, s.status, s.found from looked left join (
        select c.status::text as status, count(*)::int as found ${fromGathered(filter)} group by c.status
      ) s on looked.whole`,
  );
  if (!rows[0]?.whole) return null;
  return rows.flatMap(({ status, found }) => (status && found ? [{ status, found, more: false }] : []));
}

function counts(rows: Row[]): InboxCounts {
  const all: InboxCounts = { open: shown(0), pending: shown(0), solved: shown(0), closed: shown(0) };
  for (const { status, found, more } of rows) all[status] = shown(found, more);
  return all;
}
