import type { LogCursor } from '#server/core/cursor.ts';
import { runRead } from '#server/core/database/batch-reads.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Reader } from '#server/inbox/conversations/unread.ts';
import type { InboxFilter } from '#server/screens/inbox/inbox-filter.ts';
import {
  type InboxOrder,
  isMixed,
  MICROS,
  orderBy,
  parsePosition,
  type Section,
  sectionsOf,
  writePosition,
} from '#server/screens/inbox/inbox-order.ts';
import { type InboxRowColumns, inboxRow, inboxRows, inboxRowsOf } from '#server/screens/inbox/inbox-rows.ts';
import {
  canBeRare,
  fromGathered,
  gathered,
  isScanOnly,
  narrowed,
  scan,
} from '#server/screens/inbox/inbox-sql.ts';
import type { InboxPage, InboxRow } from '#server/screens/inbox/views.ts';

/** Default number of rows per page. */
const PAGE_ROWS = 50;
/** Conversations to scan before another index is used, or for the first page when no other index is. */
const FIRST_SCAN = 1_000;
/**
 * Conversations to scan for a further page. When too few match, the page is short and the next page continues
 * there. Lower for a search, which reads the contact and the messages of each conversation instead of only
 * columns and tags.
 */
const LONG_SCAN = 20_000;
const LONG_SCAN_SEARCHING = 5_000;

/** Positions of the rows of a page, and the position where the next page continues, or null. */
type Found<Position extends LogCursor = LogCursor> = { positions: Position[]; next: LogCursor | null };

/** What to read of a section. */
type Range = { section: Section; after: LogCursor | null; rows: number };

/**
 * Returns a page of the inbox. The cost does not grow with the workspace. One index answers a simple filter. A common
 * tag, word, SLA state or creation date is soon found among the first conversations; a rare one is collected by its
 * index and sorted. Otherwise the list is scanned in steps: such a page can be short or empty and still have a `nextCursor`.
 * A conversation whose place changes between two pages, for example by a new message, can be missed or repeated; no other conversation is.
 * @param userId the teammate whose read states the rows show; null shows all as read
 * @param order newest message first by default
 * @param cursor an invalid cursor starts at the first row
 * @param rows default 50
 */
export async function listInbox(
  db: SqlDb,
  {
    filter,
    userId = null,
    order = 'newest',
    cursor,
    rows = PAGE_ROWS,
  }: {
    filter: InboxFilter;
    userId?: string | null;
    order?: InboxOrder | undefined;
    cursor?: string | undefined;
    rows?: number | undefined;
  },
): Promise<InboxPage> {
  if (filter.search !== undefined && searchWords(filter.search) === null) {
    return { rows: [], nextCursor: null };
  }
  const reader = { workspaceId: filter.workspaceId, userId };
  const sections = sectionsOf(order, filter);
  const start = parsePosition(cursor, sections.length);
  const listed: InboxRow[] = [];
  // The page continues in the next section when one ends.
  for (const [n, section] of sections.entries()) {
    if (n < start.section) continue;
    const after = n === start.section ? start.after : null;
    const left = rows - listed.length;
    if (left === 0) return { rows: listed, nextCursor: writePosition({ section: n, after }) };
    const found = await listSection(db, filter, { reader, section, after, rows: left });
    listed.push(...found.rows);
    if (found.next) {
      return { rows: listed, nextCursor: writePosition({ section: n, after: found.next }) };
    }
  }
  return { rows: listed, nextCursor: null };
}

async function listSection(
  db: SqlDb,
  filter: InboxFilter,
  { reader, ...range }: Range & { reader: Reader },
): Promise<{ rows: InboxRow[]; next: LogCursor | null }> {
  if (isScanOnly(filter, range.section)) return listByScan(db, filter, { reader, ...range });
  if (!canBeRare(filter)) return listAmongFirst(db, filter, { reader, ...range });
  const { positions, next } = await findPositions(db, filter, range);
  const ids = positions.map(({ id }) => id);
  return { rows: await inboxRows(db, { reader, ids, search: filter }), next };
}

/** Returns a page of a filter that one index answers, with its rows. One round trip. */
async function listByScan(
  db: SqlDb,
  filter: InboxFilter,
  { reader, section, after, rows }: Range & { reader: Reader },
): Promise<{ rows: InboxRow[]; next: LogCursor | null }> {
  const places = Prisma.sql`
    select id, ${MICROS} as micros, row_number() over (${orderBy(section)}) as place
    from (${scan(filter, { section, after, rows: rows + 1 })}) w`;
  const statement = inboxRowsOf(places, reader, Prisma.sql`, p.micros`);
  const found = await runRead(db, statement, (all: (InboxRowColumns & { micros: string })[]) => all);
  const { positions: page, next } = cut(found, rows);
  return { rows: page.map((row) => inboxRow(row)), next };
}

/** Returns the page of a filter that is checked conversation by conversation, with its rows. One round trip. */
async function listAmongFirst(
  db: SqlDb,
  filter: InboxFilter,
  { reader, ...range }: Range & { reader: Reader },
): Promise<{ rows: InboxRow[]; next: LogCursor | null }> {
  const { rows, section } = range;
  const scanned = scanFor(filter, { ...range, window: windowOf(filter, range) });
  const places = Prisma.sql`select *, row_number() over (${orderBy(section)}) as place from (${scanned}) w`;
  const statement = inboxRowsOf(places, reader, Prisma.sql`, p.micros, p.matches, p."isLast"`);
  const found = await runRead(db, statement, (all: (InboxRowColumns & Scanned)[]) => all);
  const { positions: shown, next } = page(foundIn(found), rows);
  return { rows: shown.map((row) => inboxRow(row)), next };
}

/** Finds the page of a filter that `canBeRare`. */
async function findPositions(db: SqlDb, filter: InboxFilter, range: Range): Promise<Found> {
  const { rows } = range;
  const window = windowOf(filter, range);
  const scanPart = async (part: ScanRange) => foundIn(await db.$queryRaw<Scanned[]>(scanFor(filter, part)));
  // The index of due times reads few of them faster than a scan.
  const due = isByDueTime(filter) ? await gather(db, filter, { ...range, max: FIRST_SCAN }) : null;
  if (due) return cut(due, rows);
  const isFinal = ({ positions, next }: Found) => positions.length > rows || next === null;
  const first = await scanPart({ ...range, window: FIRST_SCAN });
  if (isFinal(first)) return page(first, rows);
  const scanOn = async () => {
    const { positions, next } = first;
    const rest = { ...range, after: next, rows: rows - positions.length, window: window - FIRST_SCAN };
    const more = await scanPart({ ...rest, isUncommon: true });
    return { positions: [...positions, ...more.positions], next: more.next };
  };
  // A search that matches this often fills the page. Its index would return too many conversations.
  const isFrequent = filter.search !== undefined && first.positions.length * (window / FIRST_SCAN) > rows;
  const scanned = isFrequent ? await scanOn() : null;
  if (scanned && isFinal(scanned)) return page(scanned, rows);
  const gathered = await gather(db, filter, range);
  return gathered ? cut(gathered, rows) : page(scanned ?? (await scanOn()), rows);
}

/** Returns whether the index of due times collects the filter's conversations. */
function isByDueTime({ sla, tag, search }: InboxFilter): boolean {
  return sla !== undefined && tag === undefined && search === undefined;
}

/** Returns the page of a scan, and the position where the next one continues: after its last row, or where the scan ended. */
function page<Position extends LogCursor>(
  { positions, next }: Found<Position>,
  rows: number,
): Found<Position> {
  return positions.length > rows ? cut(positions, rows) : { positions, next };
}

/** Returns the number of conversations to scan for a page. */
function windowOf(filter: InboxFilter, { section, after, rows }: Range): number {
  if (filter.search !== undefined) return LONG_SCAN_SEARCHING;
  // The newest matches are shown early. Further pages scan more, as does a list that is loaded again up to a position.
  const isStart = after === null && !isMixed(section) && rows <= PAGE_ROWS;
  return isStart && !canBeRare(filter) ? FIRST_SCAN : LONG_SCAN;
}

/** Splits off the extra row, which shows that there is a next page. */
function cut<Position extends LogCursor>(found: Position[], rows: number): Found<Position> {
  const page = found.slice(0, rows);
  return { positions: page, next: found.length > rows ? (page.at(-1) ?? null) : null };
}

type ScanRange = Range & { window: number; isUncommon?: boolean };
type Scanned = LogCursor & { matches: boolean | null; isLast: boolean };

/**
 * Returns SQL for those of the next `window` conversations that match the complete filter, up to one more than a page, and
 * for the last one of the scan. Columns: those of `Scanned`, and sort_key.
 */
function scanFor(
  filter: InboxFilter,
  { section, after, rows, window, isUncommon = false }: ScanRange,
): Prisma.Sql {
  const { ctes, joins, where } = narrowed(filter, { section, isUncommon });
  return Prisma.sql`${ctes} select id, sort_key, ${MICROS} as micros, matches, is_last as "isLast" from (
      select w.id, w.sort_key, ${where} as matches, w.place = ${window}::int as is_last
      from (select s.*, row_number() over (${orderBy(section)}) as place from (${scan(filter, { section, after, rows: window })}) s) w ${joins}
    ) w where matches or is_last ${orderBy(section, 'w')} limit ${rows + 1}::int`;
}

/** Returns the matches of a scan, and its last position; null at the end of the list or when the page is full. */
function foundIn<Row extends Scanned>(scanned: Row[]): Found<Row> {
  return {
    positions: scanned.filter(({ matches }) => matches),
    next: scanned.find(({ isLast }) => isLast) ?? null,
  };
}

/** Returns the page by another index; null when there are too many matches. */
async function gather(
  db: SqlDb,
  filter: InboxFilter,
  { section, after, rows, max }: Range & { max?: number },
): Promise<LogCursor[] | null> {
  const found = await db.$queryRaw<
    ({ complete: boolean } & { [Key in keyof LogCursor]: LogCursor[Key] | null })[]
  >(
    Prisma.sql`${gathered(filter, max)}
      select lookup.complete, page.id, page.micros from lookup left join (
        select *, ${MICROS} as micros from (
          select c.id, c.${Prisma.raw(section.column)} as sort_key ${fromGathered(filter, { section, after })}
        ) c ${orderBy(section)} limit ${rows + 1}::int
      ) page on lookup.complete ${orderBy(section, 'page')}`,
  );
  if (!found[0]?.complete) return null;
  return found.flatMap(({ id, micros }) => (id === null || micros === null ? [] : [{ id, micros }]));
}
