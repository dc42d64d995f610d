import { InfiniteQueryObserver, keepPreviousData, QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { listQuery } from '#app/components/view/inbox-queries.ts';
import { parseInboxView } from '#app/lib/inbox-path.ts';
import { joinRows } from '#app/lib/join-rows.ts';
import { FIRST_REQUEST } from '#app/lib/served-inbox.ts';

describe('a list of conversations', () => {
  test('starts with the page from the server, without a request', () => {
    const list = openList(900);
    expect(list.shown).toEqual(range(0, 20));
    expect(list.requests()).toEqual([]);
  });

  test('asks once after a change for the rows that three further requests have loaded', async () => {
    const list = openList(900);
    for (const rows of [120, 220, 300]) {
      await list.loadMore();
      expect(list.shown).toEqual(range(0, rows));
    }
    expect(list.requests()).toEqual([100, 100, 80]);
    list.ids.unshift(...list.ids.splice(250, 1));
    list.ids.splice(100, 1);
    await list.refetch();
    expect(list.requests()).toEqual([300]);
    expect(list.shown).toEqual(list.ids.slice(0, 300));
  });

  test('continues in full pages, and ends where the list ends', async () => {
    const list = openList(450);
    for (let times = 0; times < 4; times += 1) await list.loadMore();
    expect(list.shown).toEqual(range(0, 450));
    expect(list.hasMore).toBe(false);
    list.requests();
    list.ids = range(0, 8);
    await list.refetch();
    expect(list.requests()).toEqual([300]);
    expect(list.shown).toEqual(range(0, 8));
  });

  test('keeps at most four pages, and loads dropped ones again', async () => {
    const list = openList(2_000);
    for (let times = 0; times < 7; times += 1) await list.loadMore();
    expect(list.shown).toEqual(range(300, 1_500));
    list.requests();
    await list.refetch();
    expect(list.requests()).toHaveLength(4);
    expect(list.shown).toEqual(range(300, 1_500));
    await list.loadEarlier();
    expect(list.shown).toEqual(range(0, 1_200));
    expect(list.hasEarlier).toBe(false);
  });

  test('misses no row that arrived at its start while its first page was dropped', async () => {
    const list = openList(2_000);
    for (let times = 0; times < 7; times += 1) await list.loadMore();
    list.ids.unshift(...range(5_000, 5_400));
    await list.loadEarlier();
    await list.refetch();
    expect(list.shown).toEqual(list.ids.slice(0, 1_200));
  });
});

describe('a list that the server scans in steps', () => {
  test('keeps the rows of many short pages after a change', async () => {
    const list = openList(900, { most: 2 });
    for (let times = 0; times < 12; times += 1) await list.loadMore();
    expect(list.shown).toEqual(range(0, 26));
    expect(list.hasEarlier).toBe(false);
    await list.refetch();
    expect(list.shown).toEqual(range(0, 26));
    expect(list.hasMore).toBe(true);
  });
});

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => String(from + at));
}

/** A server with conversations in this order, at most `most` a page, and a client that shows the first ones. */
function openList(count: number, { most = 300 } = {}) {
  const state = { ids: range(0, count), asked: [] as number[] };
  const pageOf = (cursor: string | undefined, asked: number) => {
    const rows = Math.min(asked, most);
    const at = cursor === undefined ? 0 : state.ids.indexOf(cursor) + 1;
    const ids = state.ids.slice(at, at + rows);
    return {
      rows: ids.map((id) => ({ id })),
      nextCursor: at + rows < state.ids.length ? (ids.at(-1) ?? null) : null,
    };
  };
  const query = async ({ cursor, rows }: { cursor?: string; rows: number }) => {
    state.asked.push(rows);
    return pageOf(cursor, rows);
  };
  const screens = { inbox: { list: { query } } } as unknown as ScreensClient;
  const of = { ...parseInboxView({}), selected: undefined };
  const first = { of, ...pageOf(undefined, FIRST_REQUEST.rows) };
  const options = { ...listQuery(screens, of), placeholderData: keepPreviousData };
  const observer = new InfiniteQueryObserver(new QueryClient(), {
    ...options,
    initialData: { pages: [first as never], pageParams: [FIRST_REQUEST] },
  });
  observer.subscribe(() => {});
  return {
    get ids() {
      return state.ids;
    },
    set ids(ids: string[]) {
      state.ids = ids;
    },
    /** Returns the sizes of the requests since the last call. */
    requests: () => state.asked.splice(0),
    loadMore: () => observer.fetchNextPage(),
    loadEarlier: () => observer.fetchPreviousPage(),
    refetch: () => observer.refetch(),
    get shown() {
      const pages = observer.getCurrentResult().data?.pages ?? [];
      return joinRows(pages.map((page) => page.rows)).map(({ id }) => id);
    },
    get hasMore() {
      return observer.getCurrentResult().hasNextPage;
    },
    get hasEarlier() {
      return observer.getCurrentResult().hasPreviousPage;
    },
  };
}
