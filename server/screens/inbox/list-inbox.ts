import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import { ask, read } from '#server/core/database/batch-reads.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type InboxRowColumns, inboxRow, inboxRows, inboxRowsOf } from '#server/screens/inbox/inbox-rows.ts';
import {
  fromGathered,
  gathered,
  type InboxFilter,
  isWalkedAlone,
  MICROS,
  narrowed,
  walk,
} from '#server/screens/inbox/inbox-sql.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';

/** Rows of a page unless more are asked for. */
const PAGE_ROWS = 50;
/** How many of the newest conversations are looked through before an index of tags or words is asked. */
const FIRST_WALK = 1_000;
/**
 * How many are looked through for one page; where that finds too few, the page is short and the next goes on there. A
 * search reads the contact and the messages of each, the rest its own columns and tags.
 */
const LONG_WALK = 20_000;
const LONG_WALK_SEARCHING = 5_000;

/** Where the rows of a page are, and whether there may be more after the last of them. */
type Found<Place extends LogCursor = LogCursor> = { places: Place[]; next: LogCursor | null };

/**
 * A page of the inbox, newest first by the last message. However large the workspace is, it costs about the same: a
 * filter is answered by one index; what is common (a tag, a word) is soon met among the newest conversations, and what
 * is rare is gathered by its own index and sorted. What is neither is looked for in steps: such a page may be short, or
 * empty, and still have a `nextCursor`. A conversation that gets a message between two pages is on top of the first
 * one, and no other is missed or listed twice.
 * @param cursor where the page before ended; one that was never given out begins at the newest
 * @param rows how many, 50 by default
 */
export async function listInbox(
  db: SqlDb,
  {
    filter,
    cursor,
    rows = PAGE_ROWS,
  }: { filter: InboxFilter; cursor?: string | undefined; rows?: number | undefined },
): Promise<InboxPage> {
  if (filter.search !== undefined && searchWords(filter.search) === null) {
    return { rows: [], nextCursor: null };
  }
  const after = parseCursor(cursor);
  if (isWalkedAlone(filter)) return walkAlone(db, filter, { after, rows });
  const { places, next } = await findPlaces(db, filter, after, rows);
  return {
    rows: await inboxRows(db, { workspaceId: filter.workspaceId, ids: places.map(({ id }) => id) }),
    nextCursor: next && writeCursor(next),
  };
}

/** The page of a filter that one index answers, with its rows; one round trip. */
async function walkAlone(
  db: SqlDb,
  filter: InboxFilter,
  { after, rows }: { after: LogCursor | null; rows: number },
): Promise<InboxPage> {
  const places = Prisma.sql`
    select id, ${MICROS} as micros, row_number() over (order by last_message_at desc, id desc) as place
    from (${walk(filter, { after, rows: rows + 1 })}) w`;
  const statement = inboxRowsOf(places, Prisma.sql`, p.micros`);
  const found = await ask(
    db,
    read(statement, (all: (InboxRowColumns & { micros: string })[]) => all),
  );
  const { places: page, next } = cut(found, rows);
  return { rows: page.map(inboxRow), nextCursor: next && writeCursor(next) };
}

async function findPlaces(
  db: SqlDb,
  filter: InboxFilter,
  after: LogCursor | null,
  rows: number,
): Promise<Found> {
  const seldom = filter.tag !== undefined || filter.search !== undefined;
  if (seldom) {
    const among = await walkFor(db, filter, { after, rows, window: FIRST_WALK });
    if (among.length > rows) return cut(among, rows);
    const whole = await gather(db, filter, { after, rows });
    if (whole) return cut(whole, rows);
  }
  const window = filter.search === undefined ? LONG_WALK : LONG_WALK_SEARCHING;
  const found = await walkFor(db, filter, { after, rows, window });
  if (found.length > rows) return cut(found, rows);
  return { places: found, next: await lastWalked(db, filter, { after, window }) };
}

/** One row more than asked for means that there is a next page. */
function cut<Place extends LogCursor>(found: Place[], rows: number): Found<Place> {
  const page = found.slice(0, rows);
  return { places: page, next: found.length > rows ? (page.at(-1) ?? null) : null };
}

function places(db: SqlDb, statement: Prisma.Sql): Promise<LogCursor[]> {
  return db.$queryRaw<LogCursor[]>(statement);
}

/** Those of the next `window` conversations that the whole filter lets through, a row more than a page at most. */
function walkFor(
  db: SqlDb,
  filter: InboxFilter,
  { after, rows, window }: { after: LogCursor | null; rows: number; window: number },
): Promise<LogCursor[]> {
  const { joins, where } = narrowed(filter);
  return places(
    db,
    Prisma.sql`select w.id, ${MICROS} as micros from (${walk(filter, { after, rows: window })}) w ${joins}
      where ${where} order by w.last_message_at desc, w.id desc limit ${rows + 1}::int`,
  );
}

/** The same by the index of the tag or the words; null when there are too many. */
async function gather(
  db: SqlDb,
  filter: InboxFilter,
  { after, rows }: { after: LogCursor | null; rows: number },
): Promise<LogCursor[] | null> {
  const found = await db.$queryRaw<
    ({ whole: boolean } & { [Key in keyof LogCursor]: LogCursor[Key] | null })[]
  >(
    Prisma.sql`${gathered(filter)}
      select looked.whole, page.id, page.micros from looked left join (
        select c.id, c.last_message_at, ${MICROS} as micros ${fromGathered(filter, after)}
        order by c.last_message_at desc, c.id desc limit ${rows + 1}::int
      ) page on looked.whole order by page.last_message_at desc, page.id desc`,
  );
  if (!found[0]?.whole) return null;
  return found.flatMap(({ id, micros }) => (id === null || micros === null ? [] : [{ id, micros }]));
}

/** Where the long walk ended, or null when it came to the end of all. */
async function lastWalked(
  db: SqlDb,
  filter: InboxFilter,
  { after, window }: { after: LogCursor | null; window: number },
): Promise<LogCursor | null> {
  const [last] = await places(
    db,
    Prisma.sql`select id, ${MICROS} as micros from (${walk(filter, { after, rows: 1, skip: window - 1 })}) w`,
  );
  return last ?? null;
}
