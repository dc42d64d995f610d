import { type InboxView, inboxPath } from '#app/lib/inbox-path.ts';
import type { InboxPage } from '#server/inbox/conversations/views.ts';

/** Rows that are asked for at once. */
const ROWS_MAX = 300;

type Given = { view: InboxView; workspaceId: string; cursor?: string | null; rows?: number };

/** A page of the inbox, for a list that is on screen already. Throws when it cannot be had. */
export async function fetchInboxRows({ view, workspaceId, cursor, rows }: Given): Promise<InboxPage> {
  const url = new URL(inboxPath({ ...view, selected: undefined }), window.location.origin);
  url.pathname = '/inbox/rows';
  url.searchParams.set('workspace', workspaceId);
  if (cursor) url.searchParams.set('cursor', cursor);
  if (rows) url.searchParams.set('rows', String(rows));
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`The list answered ${response.status}.`);
  return readInboxPage(await response.json());
}

/** The first `rows` rows of a view, however many that are. */
export async function fetchInboxAgain(given: {
  view: InboxView;
  workspaceId: string;
  rows: number;
}): Promise<InboxPage> {
  let page: InboxPage = { rows: [], nextCursor: null };
  do {
    const rows = Math.min(ROWS_MAX, given.rows - page.rows.length);
    const next = await fetchInboxRows({ ...given, cursor: page.nextCursor, rows });
    page = joinPages(page, next);
  } while (page.nextCursor && page.rows.length < given.rows);
  return page;
}

/** A page and the one after it; a conversation that has moved meanwhile stands once. */
export function joinPages(before: InboxPage, { rows, nextCursor }: InboxPage): InboxPage {
  const known = new Set(before.rows.map(({ id }) => id));
  return { rows: [...before.rows, ...rows.filter(({ id }) => !known.has(id))], nextCursor };
}

/** Our own server's JSON with its moments read. */
export function readInboxPage(json: unknown): InboxPage {
  const { rows, nextCursor } = json as {
    rows: (Omit<InboxPage['rows'][number], 'lastMessageAt' | 'dueAt'> & {
      lastMessageAt: string;
      dueAt: string | null;
    })[];
    nextCursor: string | null;
  };
  return {
    rows: rows.map((row) => ({
      ...row,
      lastMessageAt: new Date(row.lastMessageAt),
      dueAt: row.dueAt === null ? null : new Date(row.dueAt),
    })),
    nextCursor,
  };
}
