import type { LogCursor } from '#server/core/cursor.ts';
import { runRead } from '#server/core/database/batch-reads.ts';
import { plannedOnce, type SqlDb } from '#server/core/database/sql.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Reader } from '#server/inbox/conversations/unread.ts';
import {
  cut,
  findPositions,
  foundIn,
  PAGE_ROWS,
  page,
  type Range,
  type Scanned,
  scanFor,
  windowOf,
} from '#server/inbox/lists/find-positions.ts';
import { type InboxFilter, limitOf } from '#server/inbox/lists/inbox-filter.ts';
import {
  type InboxOrder,
  MICROS,
  orderBy,
  parsePosition,
  sectionsOf,
  writePosition,
} from '#server/inbox/lists/inbox-order.ts';
import { canBeRare, isScanOnly, scan } from '#server/inbox/lists/inbox-sql.ts';
import { type InboxRowColumns, inboxRow, inboxRows, inboxRowsOf } from '#server/screens/inbox/inbox-rows.ts';
import type { InboxPage, InboxRow } from '#server/screens/inbox/views.ts';

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
  // At most a page: the text of the statement then is the same for each number of rows.
  const scanned = { section, after, rows: Math.max(rows, PAGE_ROWS) + 1, isFixed: rows <= PAGE_ROWS };
  const places = Prisma.sql`
    select id, ${MICROS} as micros, row_number() over (${orderBy(section)}) as place
    from (${scan(filter, scanned)}) w ${orderBy(section)} limit ${rows + 1}::int`;
  const statement = planOf(filter, inboxRowsOf(places, reader, Prisma.sql`, p.micros`));
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
  const statement = planOf(
    filter,
    inboxRowsOf(places, reader, Prisma.sql`, p.micros, p.matches, p."isLast"`),
  );
  const found = await runRead(db, statement, (all: (InboxRowColumns & Scanned)[]) => all);
  const { positions: shown, next } = page(foundIn(found), rows);
  return { rows: shown.map((row) => inboxRow(row)), next };
}

/** The statement of a limited view is planned once, as its branches take longer to plan than to run. */
function planOf(filter: InboxFilter, statement: Prisma.Sql): Prisma.Sql {
  return limitOf(filter) ? plannedOnce(statement) : statement;
}
