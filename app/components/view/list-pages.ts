import { replaceEqualDeep } from '@tanstack/react-query';
import { joinRows } from '#app/lib/join-rows.ts';
import { FIRST_REQUEST, type ListPage, type ListPages, type PageRequest } from '#app/lib/served-inbox.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';

/** Rows that are loaded near the start of the list. */
const FURTHER_ROWS = 100;
/** Rows of a full page. The server accepts no larger one. */
const FULL_ROWS = 300;
/**
 * Pages that a list keeps, and so requests after each change: more rows than may be selected. Scrolling back loads
 * dropped pages again.
 */
const PAGES_MAX = 4;

/** Paging of a list. Loaded rows join the page before up to 300, so that they are one request after each change. */
export const PAGING = {
  initialPageParam: FIRST_REQUEST,
  maxPages: PAGES_MAX,
  getNextPageParam: ({ nextCursor, rows }: ListPage, _: unknown, asked: PageRequest): PageRequest | null => {
    if (nextCursor === null) return null;
    const isNearStart = asked.cursor === null && rows.length < FULL_ROWS;
    const further = isNearStart ? Math.min(FULL_ROWS - rows.length, FURTHER_ROWS) : FULL_ROWS;
    return { cursor: nextCursor, rows: further, steps: 1, previous: asked };
  },
  getPreviousPageParam: (_page: ListPage, _: unknown, asked: PageRequest): PageRequest | null =>
    asked.previous,
  structuralSharing: (before: unknown, now: unknown) => replaceEqualDeep(before, joinShort(now as ListPages)),
};

/** Loads a page. Continues after a short response if the page was also loaded by several requests before. */
export async function loadPage(
  { cursor, rows, steps }: PageRequest,
  load: (cursor: string | null, rows: number) => Promise<InboxPage>,
): Promise<InboxPage> {
  let page = await load(cursor, rows);
  for (let step = 1; step < steps && page.nextCursor !== null && page.rows.length < rows; step += 1) {
    const more = await load(page.nextCursor, rows - page.rows.length);
    page = { ...more, rows: joinRows([page.rows, more.rows]) };
  }
  return page;
}

/** Joins pages that together are no larger than a full one. */
function joinShort({ pages, pageParams }: ListPages): ListPages {
  const joined: ListPages = { pages: [], pageParams: [] };
  for (const [at, page] of pages.entries()) {
    const asked = pageParams[at] ?? FIRST_REQUEST;
    const [before, askedBefore] = [joined.pages.at(-1), joined.pageParams.at(-1)];
    if (!before || !askedBefore || before.rows.length + page.rows.length > FULL_ROWS) {
      joined.pages.push(page);
      joined.pageParams.push(asked);
      continue;
    }
    const rows = joinRows([before.rows, page.rows]);
    joined.pages[joined.pages.length - 1] = { ...page, rows };
    joined.pageParams[joined.pageParams.length - 1] = {
      ...askedBefore,
      rows: Math.max(rows.length, FIRST_REQUEST.rows),
      steps: askedBefore.steps + asked.steps,
    };
  }
  return joined;
}
