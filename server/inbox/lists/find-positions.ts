import type { LogCursor } from '#server/core/cursor.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { InboxFilter } from '#server/inbox/lists/inbox-filter.ts';
import { isMixed, MICROS, orderBy, type Section } from '#server/inbox/lists/inbox-order.ts';
import { canBeRare, fromGathered, gathered, narrowed, scan } from '#server/inbox/lists/inbox-sql.ts';
import { plannedFor } from '#server/inbox/lists/search-query.ts';

/** Default number of rows per page. */
export const PAGE_ROWS = 50;
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
export type Found<Position extends LogCursor = LogCursor> = { positions: Position[]; next: LogCursor | null };

/** What to read of a section. */
export type Range = { section: Section; after: LogCursor | null; rows: number };

/** Finds the page of a filter that `canBeRare`. */
export async function findPositions(given: SqlDb, filter: InboxFilter, range: Range): Promise<Found> {
  const { rows } = range;
  const db = plannedFor(filter, given);
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
export function page<Position extends LogCursor>(
  { positions, next }: Found<Position>,
  rows: number,
): Found<Position> {
  return positions.length > rows ? cut(positions, rows) : { positions, next };
}

/** Returns the number of conversations to scan for a page. */
export function windowOf(filter: InboxFilter, { section, after, rows }: Range): number {
  if (filter.search !== undefined) return LONG_SCAN_SEARCHING;
  // The newest matches are shown early. Further pages scan more, as does a list that is loaded again up to a position.
  const isStart = after === null && !isMixed(section) && rows <= PAGE_ROWS;
  return isStart && !canBeRare(filter) ? FIRST_SCAN : LONG_SCAN;
}

/** Splits off the extra row, which shows that there is a next page. */
export function cut<Position extends LogCursor>(found: Position[], rows: number): Found<Position> {
  const page = found.slice(0, rows);
  return { positions: page, next: found.length > rows ? (page.at(-1) ?? null) : null };
}

type ScanRange = Range & { window: number; isUncommon?: boolean };
export type Scanned = LogCursor & { matches: boolean | null; isLast: boolean };

/**
 * Returns SQL for those of the next `window` conversations that match the complete filter, up to one more than a page, and
 * for the last one of the scan. Columns: those of `Scanned`, and sort_key.
 */
export function scanFor(
  filter: InboxFilter,
  { section, after, rows, window, isUncommon = false }: ScanRange,
): Prisma.Sql {
  const { ctes, joins, where } = narrowed(filter, { section, isUncommon });
  return Prisma.sql`${ctes} select id, sort_key, ${MICROS} as micros, matches, is_last as "isLast" from (
      select w.id, w.sort_key, ${where} as matches, w.place = ${window}::int as is_last
      from (select s.*, row_number() over (${orderBy(section)}) as place from (${scan(filter, { section, after, rows: window, isFixed: true })}) s) w ${joins}
    ) w where matches or is_last ${orderBy(section, 'w')} limit ${rows + 1}::int`;
}

/** Returns the matches of a scan, and its last position; null at the end of the list or when the page is full. */
export function foundIn<Row extends Scanned>(scanned: Row[]): Found<Row> {
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
