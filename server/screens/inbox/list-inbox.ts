import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import { read, runRead } from '#server/core/database/batch-reads.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Reader } from '#server/inbox/conversations/unread.ts';
import { type InboxRowColumns, inboxRow, inboxRows, inboxRowsOf } from '#server/screens/inbox/inbox-rows.ts';
import {
  fromGathered,
  gathered,
  type InboxFilter,
  isScanOnly,
  MICROS,
  narrowed,
  scan,
} from '#server/screens/inbox/inbox-sql.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';

/** Default number of rows per page. */
const PAGE_ROWS = 50;
/** Newest conversations to scan before the index of tags or words is used. */
const FIRST_SCAN = 1_000;
/**
 * Conversations to scan for one page. When too few match, the page is short and the next page continues
 * there. Lower for a search, which reads the contact and the messages of each conversation instead of only
 * columns and tags.
 */
const LONG_SCAN = 20_000;
const LONG_SCAN_SEARCHING = 5_000;

/** Positions of the rows of a page, and the position where the next page continues, or null. */
type Found<Position extends LogCursor = LogCursor> = { positions: Position[]; next: LogCursor | null };

/**
 * Returns a page of the inbox, newest message first. The cost does not grow with the workspace. One index
 * answers a simple filter. A common tag or word is soon found among the newest conversations; a rare one is
 * collected by its index and sorted. Otherwise the list is scanned in steps: such a page can be short or
 * empty and still have a `nextCursor`. A conversation that gets a message between two pages moves to the
 * first page; no other conversation is missed or repeated.
 * @param userId the teammate whose read states the rows show; null shows all as read
 * @param cursor an invalid cursor starts at the newest
 * @param rows default 50
 */
export async function listInbox(
  db: SqlDb,
  {
    filter,
    userId = null,
    cursor,
    rows = PAGE_ROWS,
  }: { filter: InboxFilter; userId?: string | null; cursor?: string | undefined; rows?: number | undefined },
): Promise<InboxPage> {
  if (filter.search !== undefined && searchWords(filter.search) === null) {
    return { rows: [], nextCursor: null };
  }
  const after = parseCursor(cursor);
  const reader = { workspaceId: filter.workspaceId, userId };
  if (isScanOnly(filter)) return listByScan(db, filter, { reader, after, rows });
  const { positions, next } = await findPositions(db, filter, after, rows);
  return {
    rows: await inboxRows(db, {
      reader,
      ids: positions.map(({ id }) => id),
      search: filter.search,
    }),
    nextCursor: next && writeCursor(next),
  };
}

/** Returns a page of a filter that one index answers, with its rows. One round trip. */
async function listByScan(
  db: SqlDb,
  filter: InboxFilter,
  { reader, after, rows }: { reader: Reader; after: LogCursor | null; rows: number },
): Promise<InboxPage> {
  const places = Prisma.sql`
    select id, ${MICROS} as micros, row_number() over (order by last_message_at desc, id desc) as place
    from (${scan(filter, { after, rows: rows + 1 })}) w`;
  const statement = inboxRowsOf(places, reader, Prisma.sql`, p.micros`);
  const found = await runRead(
    db,
    read(statement, (all: (InboxRowColumns & { micros: string })[]) => all),
  );
  const { positions: page, next } = cut(found, rows);
  return { rows: page.map((row) => inboxRow(row)), nextCursor: next && writeCursor(next) };
}

async function findPositions(
  db: SqlDb,
  filter: InboxFilter,
  after: LogCursor | null,
  rows: number,
): Promise<Found> {
  const canBeRare = filter.tag !== undefined || filter.search !== undefined;
  if (canBeRare) {
    const newest = await scanFor(db, filter, { after, rows, window: FIRST_SCAN });
    if (newest.length > rows) return cut(newest, rows);
    const complete = await gather(db, filter, { after, rows });
    if (complete) return cut(complete, rows);
  }
  const window = filter.search === undefined ? LONG_SCAN : LONG_SCAN_SEARCHING;
  const found = await scanFor(db, filter, { after, rows, window });
  if (found.length > rows) return cut(found, rows);
  return { positions: found, next: await lastScanned(db, filter, { after, window }) };
}

/** Splits off the extra row, which shows that there is a next page. */
function cut<Position extends LogCursor>(found: Position[], rows: number): Found<Position> {
  const page = found.slice(0, rows);
  return { positions: page, next: found.length > rows ? (page.at(-1) ?? null) : null };
}

function queryPositions(db: SqlDb, statement: Prisma.Sql): Promise<LogCursor[]> {
  return db.$queryRaw<LogCursor[]>(statement);
}

/**
 * Returns those of the next `window` conversations that match the complete filter, up to one more than a
 * page.
 */
function scanFor(
  db: SqlDb,
  filter: InboxFilter,
  { after, rows, window }: { after: LogCursor | null; rows: number; window: number },
): Promise<LogCursor[]> {
  const { joins, where } = narrowed(filter);
  return queryPositions(
    db,
    Prisma.sql`select w.id, ${MICROS} as micros from (${scan(filter, { after, rows: window })}) w ${joins}
      where ${where} order by w.last_message_at desc, w.id desc limit ${rows + 1}::int`,
  );
}

/** Returns the page by the index of the tag or the words; null when there are too many matches. */
async function gather(
  db: SqlDb,
  filter: InboxFilter,
  { after, rows }: { after: LogCursor | null; rows: number },
): Promise<LogCursor[] | null> {
  const found = await db.$queryRaw<
    ({ complete: boolean } & { [Key in keyof LogCursor]: LogCursor[Key] | null })[]
  >(
    Prisma.sql`${gathered(filter)}
      select lookup.complete, page.id, page.micros from lookup left join (
        select c.id, c.last_message_at, ${MICROS} as micros ${fromGathered(filter, after)}
        order by c.last_message_at desc, c.id desc limit ${rows + 1}::int
      ) page on lookup.complete order by page.last_message_at desc, page.id desc`,
  );
  if (!found[0]?.complete) return null;
  return found.flatMap(({ id, micros }) => (id === null || micros === null ? [] : [{ id, micros }]));
}

/** Returns the last position of the scan, or null at the end of the list. */
async function lastScanned(
  db: SqlDb,
  filter: InboxFilter,
  { after, window }: { after: LogCursor | null; window: number },
): Promise<LogCursor | null> {
  const [last] = await queryPositions(
    db,
    Prisma.sql`select id, ${MICROS} as micros from (${scan(filter, { after, rows: 1, skip: window - 1 })}) w`,
  );
  return last ?? null;
}
