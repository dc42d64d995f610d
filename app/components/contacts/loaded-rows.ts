import type { Page } from '#server/people/contacts/views.ts';

/** A list of which more and more was loaded: its newest page as the server last told it, and all rows shown. */
export type LoadedRows<Row> = Page<Row> & { newest: Page<Row> };

/** Whether a row stands below another one in its list. */
export type IsBelow<Row> = (row: Row, other: Row) => boolean;

/** The order of a list that has the newest first. */
export function newestFirst<Row extends { id: string }>(timeOf: (row: Row) => Date): IsBelow<Row> {
  return (row, other) => {
    const apart = timeOf(other).getTime() - timeOf(row).getTime();
    return apart > 0 || (apart === 0 && row.id < other.id);
  };
}

/** A list that shows its newest page. */
export function beginRows<Row>(newest: Page<Row>): LoadedRows<Row> {
  return { ...newest, newest };
}

/**
 * The list with the page that follows, without rows that are shown already: one that moved up meanwhile.
 * @param asked the cursor the page was asked for; when the list has begun anew since, nothing is added
 */
export function extendRows<Row extends { id: string }>(
  list: LoadedRows<Row>,
  page: Page<Row>,
  asked: string,
): LoadedRows<Row> {
  if (list.nextCursor !== asked) return list;
  const shown = new Set(list.rows.map(({ id }) => id));
  return {
    newest: list.newest,
    rows: [...list.rows, ...page.rows.filter(({ id }) => !shown.has(id))],
    nextCursor: page.nextCursor,
  };
}

/**
 * The list after the server told its newest page anew. What was loaded below stays, so that nobody loses their place;
 * what is told in the newest page is as told there. When so much has come that the two no longer meet, it begins anew.
 */
export function followRows<Row extends { id: string }>(
  list: LoadedRows<Row>,
  newest: Page<Row>,
  { isBelow }: { isBelow: IsBelow<Row> },
): LoadedRows<Row> {
  const last = newest.rows.at(-1);
  const reachesFurther = list.rows.length > list.newest.rows.length;
  if (!reachesFurther || newest.nextCursor === null || last === undefined) return beginRows(newest);
  const told = new Set(newest.rows.map(({ id }) => id));
  if (!list.rows.some(({ id }) => told.has(id))) return beginRows(newest);
  const below = list.rows.filter((row) => !told.has(row.id) && isBelow(row, last));
  return { newest, rows: [...newest.rows, ...below], nextCursor: list.nextCursor };
}
